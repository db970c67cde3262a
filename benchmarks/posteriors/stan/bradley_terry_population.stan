// Bradley-Terry with an advantage of the first, strengths of a population, not centred.
data {
  int<lower=2> players;
  int<lower=1> rows;
  array[rows] int<lower=1, upper=players> first;
  array[rows] int<lower=1, upper=players> second;
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
  vector[players] strength_raw;
  real advantage;
}
transformed parameters {
  vector[players] strength = strength_mean + strength_spread * strength_raw;
}
model {
  strength_mean ~ normal(2705 * elo, 400 * elo);
  strength_spread ~ normal(0, 400 * elo);
  strength_raw ~ std_normal();
  advantage ~ normal(0, 1);
  wins ~ binomial_logit(games, strength[first] - strength[second] + advantage);
}
