"""The same posteriors in Stan: the fastest programs known, and plain vectorised programs with a term for each game.

Seats as in models/parts.py: the last slot is the anchored opponent's, and the anchor comes in `known`.
"""

HEADER = """
data {
  int<lower=1> players;
  int<lower=1> rows;
  array[rows] int white;
  array[rows] int black;
  vector[rows] known;
  vector[rows] surplus;
  vector[rows] total;
  array[rows] int outcome;
  real drawn;
  vector<lower=0>[players] unit;
  vector<lower=0>[players] advantage_unit;
}
"""

DAVIDSON_SEATS = """
  vector[players + 1] w = append_row(strength + advantage, 0.1);
  vector[players + 1] b = append_row(strength - advantage, -0.1);
"""

DAVIDSON_PRIORS = """
  strength ~ normal(15, 400);
  advantage ~ normal(1, 10);
  log_draw ~ normal(1, 5);
"""

# log of the sum of e^h, e^-h and e^lam from one exponential and one logarithm a cell
DAVIDSON_BEST = (
    HEADER
    + """
parameters {
  vector<offset=15, multiplier=unit>[players] strength;
  vector<offset=1, multiplier=advantage_unit>[players] advantage;
  real<offset=1, multiplier=0.03> log_draw;
}
model {
"""
    + DAVIDSON_SEATS
    + DAVIDSON_PRIORS
    + """
  vector[rows] h = 0.5 * (w[white] - b[black] + known);
  vector[rows] u = exp(h);
  target += dot_product(surplus, h) + drawn * log_draw - dot_product(total, log(u + inv(u) + exp(log_draw)));
}
"""
)

DAVIDSON_PLAIN = (
    HEADER
    + """
parameters {
  vector[players] strength;
  vector[players] advantage;
  real log_draw;
}
model {
"""
    + DAVIDSON_SEATS
    + DAVIDSON_PRIORS
    + """
  vector[rows] one = w[white] + known;
  vector[rows] other = b[black];
  for (k in 1:rows) {
    vector[3] score = [other[k], log_draw + 0.5 * (one[k] + other[k]), one[k]]';
    target += score[outcome[k]] - log_sum_exp(score);
  }
}
"""
)

BRADLEY_TERRY_SEATS = """
  vector[players + 1] r = append_row(rating, 0) / 173.7177927613007;
"""

BRADLEY_TERRY_PRIORS = """
  rating ~ normal(2705, 400);
  advantage ~ normal(50, 40);
"""

# half points counted twice are integers: Stan's binomial density has its gradient written by hand
BRADLEY_TERRY_BEST = (
    HEADER.replace("array[rows] int outcome;", "array[rows] int points;\n  array[rows] int twice;")
    + """
parameters {
  vector<offset=2705, multiplier=unit>[players] rating;
  real<offset=50, multiplier=4> advantage;
}
model {
"""
    + BRADLEY_TERRY_SEATS
    + BRADLEY_TERRY_PRIORS
    + """
  target += 0.5 * binomial_logit_lupmf(points | twice, r[white] - r[black] + known + advantage / 173.7177927613007);
}
"""
)

BRADLEY_TERRY_PLAIN = (
    HEADER
    + """
parameters {
  vector[players] rating;
  real advantage;
}
model {
"""
    + BRADLEY_TERRY_SEATS
    + BRADLEY_TERRY_PRIORS
    + """
  vector[rows] eta = r[white] - r[black] + known + advantage / 173.7177927613007;
  vector[rows] y = 0.5 * (to_vector(outcome) - 1);
  target += sum(y .* log_inv_logit(eta) + (1 - y) .* log1m_inv_logit(eta));
}
"""
)

PROGRAMS = {
    ("davidson-player", "best"): DAVIDSON_BEST,
    ("davidson-player", "plain"): DAVIDSON_PLAIN,
    ("bt-common", "best"): BRADLEY_TERRY_BEST,
    ("bt-common", "plain"): BRADLEY_TERRY_PLAIN,
}
