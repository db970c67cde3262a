// Davidson: win, tie and loss of the first in proportion to e^first, e^(log_draw + (first + second) / 2) and e^second.
// The last of them is of known strength.
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
  real log_draw;
}
model {
  vector[players] all = append_row(strength, known);
  strength ~ normal(15, 400);
  log_draw ~ normal(1, 5);
  for (k in 1:rows) {
    real one = all[first[k]];
    real two = all[second[k]];
    {wins[k], ties[k], losses[k]} ~ multinomial_logit([one, log_draw + (one + two) / 2, two]');
  }
}
