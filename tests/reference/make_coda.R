# Makes coda.json: what coda says of the chains of tests/study/test_chain_tests.py.
# Write the chains first, one file a chain: long.csv, white.csv, drift.csv, and c0.csv, c1.csv, c2.csv with two columns.
suppressMessages(library(coda))
number <- function(x) paste0("[", paste(sprintf("%.12g", as.numeric(x)), collapse = ", "), "]")
cat("{\n")
for (n in c("long", "white", "drift")) {
  x <- mcmc(scan(paste0(n, ".csv"), quiet = TRUE))
  cat(sprintf(' "%s": {"spectrum0.ar": %.12g, "geweke": %.12g, "heidel": %s', n, spectrum0.ar(x)$spec, geweke.diag(x)$z,
              number(unclass(heidel.diag(x)))))
  for (kind in list(list("raftery", 0.025, 0.005), list("raftery_median", 0.5, 0.02))) {
    m <- raftery.diag(x, q = kind[[2]], r = kind[[3]])$resmatrix
    if (m[1] != "Error") cat(sprintf(', "%s": %s', kind[[1]], number(m)))
  }
  cat("},\n")
}
l <- mcmc.list(lapply(0:2, function(c) mcmc(as.matrix(read.table(paste0("c", c, ".csv"))))))
for (half in c(TRUE, FALSE)) {
  g <- gelman.diag(l, autoburnin = half)
  cat(sprintf(' "%s": {"estimate": %s, "upper": %s, "multivariate": %.12g},\n', if (half) "gelman" else "gelman_whole",
              number(g$psrf[, 1]), number(g$psrf[, 2]), g$mpsrf))
}
cat(sprintf(' "made_by": "coda %s, R %s"\n}\n', packageVersion("coda"), getRversion()))
