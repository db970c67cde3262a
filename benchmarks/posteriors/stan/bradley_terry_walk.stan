// Bradley-Terry with an advantage of the first and strengths that walk from period to period about levels of a
// population, not centred: a strength is its level where the walk is taken about its own mean.
data {
  int<lower=2> players;
  int<lower=2> periods;
  int<lower=1> rows;
  array[rows] int<lower=1, upper=players> first;
  array[rows] int<lower=1, upper=players> second;
  array[rows] int<lower=1, upper=periods> period;
  array[rows] int<lower=0> wins;
  array[rows] int<lower=0> losses;
}
transformed data {
  real elo = log(10) / 400;
  array[rows] int games;
  for (k in 1:rows) games[k] = wins[k] + losses[k];
}
parameters {
  real strength_mean;
  real<lower=0> strength_spread;
  real<lower=0> innovation_spread;
  vector[players] level_raw;
  matrix[players, periods - 1] step_raw;
  real advantage;
}
transformed parameters {
  matrix[players, periods] strength;
  for (i in 1:players) {
    row_vector[periods] walk = append_col(0, innovation_spread * cumulative_sum(step_raw[i]));
    strength[i] = strength_mean + strength_spread * level_raw[i] + walk - mean(walk);
  }
}
model {
  vector[rows] ahead;
  for (k in 1:rows) ahead[k] = strength[first[k], period[k]] - strength[second[k], period[k]] + advantage;
  strength_mean ~ normal(2705 * elo, 400 * elo);
  strength_spread ~ normal(0, 400 * elo);
  innovation_spread ~ normal(0, 35 * elo);
  level_raw ~ std_normal();
  to_vector(step_raw) ~ std_normal();
  advantage ~ normal(0, 1);
  wins ~ binomial_logit(games, ahead);
}
