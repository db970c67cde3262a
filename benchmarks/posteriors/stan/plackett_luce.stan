// Plackett-Luce: the winner is chosen among all in an event with odds e^strength, the second among those left, and so on;
// strengths of a population about 0, not centred.
data {
  int<lower=2> players;
  int<lower=1> events;
  int<lower=2> places;
  array[events, places] int<lower=1, upper=players> order;
}
transformed data {
  real elo = log(10) / 400;
}
parameters {
  real<lower=0> strength_spread;
  vector[players] strength_raw;
}
transformed parameters {
  vector[players] strength = strength_spread * strength_raw;
}
model {
  strength_spread ~ normal(0, 400 * elo);
  strength_raw ~ std_normal();
  for (e in 1:events) {
    vector[places] own = strength[order[e]];
    for (k in 1:(places - 1)) target += own[k] - log_sum_exp(own[k:places]);
  }
}
