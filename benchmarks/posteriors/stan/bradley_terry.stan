// Bradley-Terry: P(the first wins) = inv_logit(its strength - that of the second). The last of them is of known strength.
data {
  int<lower=2> players;
  int<lower=1> rows;
  array[rows] int<lower=1, upper=players> first;
  array[rows] int<lower=1, upper=players> second;
  array[rows] int<lower=0> wins;
  array[rows] int<lower=0> losses;
  real known;
}
transformed data {
  real elo = log(10) / 400;
  array[rows] int games;
  for (k in 1:rows) games[k] = wins[k] + losses[k];
}
parameters {
  vector[players - 1] strength;
}
model {
  vector[players] all = append_row(strength, known);
  strength ~ normal(2705 * elo, 400 * elo);
  wins ~ binomial_logit(games, all[first] - all[second]);
}
