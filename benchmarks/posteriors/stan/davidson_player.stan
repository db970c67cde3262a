// Davidson with a White advantage of each player, halves of it in either colour: they play as strength + advantage with
// White and strength - advantage with Black. The last of them is of known strength and advantage.
data {
  int<lower=2> players;
  int<lower=1> rows;
  array[rows] int<lower=1, upper=players> first;
  array[rows] int<lower=1, upper=players> second;
  array[rows] int<lower=0> wins;
  array[rows] int<lower=0> ties;
  array[rows] int<lower=0> losses;
  real known;
  real known_advantage;
}
parameters {
  vector[players - 1] strength;
  vector[players - 1] advantage;
  real log_draw;
}
model {
  vector[players] white = append_row(strength + advantage, known + known_advantage);
  vector[players] black = append_row(strength - advantage, known - known_advantage);
  strength ~ normal(15, 400);
  advantage ~ normal(1, 10);
  log_draw ~ normal(1, 5);
  for (k in 1:rows) {
    real one = white[first[k]];
    real two = black[second[k]];
    {wins[k], ties[k], losses[k]} ~ multinomial_logit([one, log_draw + (one + two) / 2, two]');
  }
}
