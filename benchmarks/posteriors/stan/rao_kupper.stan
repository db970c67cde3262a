// Rao-Kupper with White's advantage: a player wins with e^own / (e^own + theta e^other), theta = 1 + e^log_draw, and what
// is left are draws. The last of them is of known strength.
data {
  int<lower=2> players;
  int<lower=1> rows;
  array[rows] int<lower=1, upper=players> first;
  array[rows] int<lower=1, upper=players> second;
  array[rows] int<lower=0> wins;
  array[rows] int<lower=0> ties;
  array[rows] int<lower=0> losses;
  real known;
}
parameters {
  vector[players - 1] strength;
  real advantage;
  real log_draw;
}
model {
  vector[players] all = append_row(strength, known);
  real log_theta = log1p_exp(log_draw);
  strength ~ normal(15, 400);
  advantage ~ normal(0, 1);
  log_draw ~ normal(1, 5);
  for (k in 1:rows) {
    real one = all[first[k]] + advantage;
    real two = all[second[k]];
    real win = log_inv_logit(one - two - log_theta);
    real loss = log_inv_logit(two - one - log_theta);
    real draw = log(expm1(2 * log_theta)) + win + loss;
    target += wins[k] * win + ties[k] * draw + losses[k] * loss;
  }
}
