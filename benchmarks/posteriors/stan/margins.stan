// Margins: the first beats the second by the difference of their strengths and the advantage, give or take e^log_width;
// strengths of a population, not centred, in the unit of the margin.
data {
  int<lower=2> players;
  int<lower=1> rows;
  array[rows] int<lower=1, upper=players> first;
  array[rows] int<lower=1, upper=players> second;
  vector[rows] margin;
}
parameters {
  real strength_mean;
  real<lower=0> strength_spread;
  vector[players] strength_raw;
  real advantage;
  real log_width;
}
transformed parameters {
  vector[players] strength = strength_mean + strength_spread * strength_raw;
}
model {
  strength_mean ~ normal(0, 20);
  strength_spread ~ normal(0, 20);
  strength_raw ~ std_normal();
  advantage ~ normal(0, 20);
  log_width ~ normal(1, 2);
  margin ~ normal(strength[first] - strength[second] + advantage, exp(log_width));
}
