"""Fifty models from documents of PyMC, bambi, bpcs and Stan, and ten more, for `models60.py`."""

import numpy as np
import pandas as pd
import pymc as pm
import pytensor.tensor as pt

from halfpoint.models import bernoulli, davidson, outcome, rao_kupper

PLAYERS = [f"P{k:02d}" for k in range(12)]
AGES = [17.0, 19.0, 22.0, 24.0, 27.0, 29.0, 31.0, 34.0, 38.0, 43.0, 50.0, 58.0]
PEOPLE = pd.DataFrame({"age": AGES, "team": np.repeat(range(4), 3), "country": np.repeat(range(2), 6)}, index=PLAYERS)
PEOPLE.loc["Newbie"] = [26.0, 1, 0]  # a table has a row for a new player


def of(games, column):
    """Of."""
    return PEOPLE[column].loc[list(games.coords["player"])].to_numpy()


def hier(games):
    """Hier."""
    with pm.Model(coords=games.coords) as m:
        sd = pm.HalfNormal("sd", 1)
        g = pm.Normal("strength", 0, sd, dims="player")
        a = pm.Normal("advantage", 0, 1)
        lam = pm.Normal("log_draw", 0, 1)
        davidson(games, games.white(g) + a, games.black(g), lam)
    return m


def noncentred(games):
    """Noncentred."""
    with pm.Model(coords=games.coords) as m:
        sd = pm.HalfNormal("sd", 1)
        z = pm.Normal("z", 0, 1, dims="player")
        g = pm.Deterministic("strength", z * sd, dims="player")
        a = pm.Normal("advantage", 0, 1)
        lam = pm.Normal("log_draw", 0, 1)
        davidson(games, games.white(g) + a, games.black(g), lam)
    return m


def teamplayer(games):
    """Teamplayer."""
    t = of(games, "team").astype(int)
    with pm.Model(coords=games.coords) as m:
        m.add_coord("team", np.arange(4))
        st = pm.HalfNormal("sd_team", 0.5)
        sp = pm.HalfNormal("sd_player", 1)
        team = pm.Normal("team_effect", 0, st, dims="team")
        u = pm.Normal("player_effect", 0, sp, dims="player")
        g = pm.Deterministic("strength", team[t] + u, dims="player")
        a = pm.Normal("advantage", 0, 1)
        lam = pm.Normal("log_draw", 0, 1)
        davidson(games, games.white(g) + a, games.black(g), lam)
    return m


def student(games):
    """Student."""
    with pm.Model(coords=games.coords) as m:
        nu = pm.Gamma("nu", 2, 0.1)
        sd = pm.HalfNormal("sd", 1)
        g = pm.StudentT("strength", nu=nu, mu=0, sigma=sd, dims="player")
        a = pm.Normal("advantage", 0, 1)
        lam = pm.Normal("log_draw", 0, 1)
        davidson(games, games.white(g) + a, games.black(g), lam)
    return m


def gp(games):
    """Gp."""
    games = games.by(1)
    t = np.arange(games.periods)[:, None].astype(float)
    with pm.Model(coords=games.coords) as m:
        ell = pm.InverseGamma("ell", 5, 15)
        eta = pm.HalfNormal("eta", 0.5)
        K = eta**2 * pm.gp.cov.Matern52(1, ls=ell)(t) + 1e-06 * np.eye(len(t))
        L = pt.linalg.cholesky(K)
        level = pm.Normal("level", 0, 1, dims="player")
        z = pm.Normal("z", 0, 1, dims=("player", "month"))
        g = pm.Deterministic("strength", level[:, None] + z @ L.T, dims=("player", "month"))
        a = pm.Normal("advantage", 0, 1)
        lam = pm.Normal("log_draw", 0, 1)
        davidson(games, games.white(g) + a, games.black(g), lam)
    return m


def rw(games):
    """Rw."""
    games = games.by(1)
    with pm.Model(coords=games.coords) as m:
        step = pm.HalfNormal("step", 0.3)
        g = pm.GaussianRandomWalk(
            "strength", mu=0, sigma=step, init_dist=pm.Normal.dist(0, 1), dims=("player", "month")
        )
        a = pm.Normal("advantage", 0, 1)
        lam = pm.Normal("log_draw", 0, 1)
        davidson(games, games.white(g) + a, games.black(g), lam)
    return m


def covar(games):
    """Covar."""
    with pm.Model(coords=games.coords) as m:
        sd = pm.HalfNormal("sd", 1)
        g = pm.Normal("strength", 0, sd, dims="player")
        a = pm.Normal("advantage", 0, 1)
        b = pm.Normal("b_rapid", 0, 0.5)
        lam = pm.Normal("log_draw", 0, 1)
        davidson(games, games.white(g) + a + b * games.column("rapid"), games.black(g), lam)
    return m


def ologit(white, black, lam):
    """Ologit."""
    d = white - black
    _up, _down = (pm.math.log1pexp(-(d - lam)), pm.math.log1pexp(d + lam))
    pw = pm.math.sigmoid(d - lam)
    pl = pm.math.sigmoid(-d - lam)
    return (pt.log(pl), pt.log(1 - pl - pw), pt.log(pw))


def ordinal(games):
    """Ordinal."""
    with pm.Model(coords=games.coords) as m:
        sd = pm.HalfNormal("sd", 1)
        g = pm.Normal("strength", 0, sd, dims="player")
        a = pm.Normal("advantage", 0, 1)
        cut = pm.HalfNormal("cut", 1)
        outcome(games, ologit, white=games.white(g) + a, black=games.black(g), lam=cut)
    return m


def rk(games):
    """Rk."""
    with pm.Model(coords=games.coords) as m:
        sd = pm.HalfNormal("sd", 1)
        g = pm.Normal("strength", 0, sd, dims="player")
        a = pm.Normal("advantage", 0, 1)
        lam = pm.Normal("log_draw", 0, 1)
        rao_kupper(games, games.white(g) + a, games.black(g), lam)
    return m


def mixture(games):
    """Mixture."""
    with pm.Model(coords=games.coords) as m:
        w = pm.Dirichlet("w", np.ones(2) * 3)
        mu = pm.Normal(
            "mu", 0, 1, shape=2, transform=pm.distributions.transforms.ordered, initval=np.array([-0.5, 0.5])
        )
        g = pm.NormalMixture("strength", w=w, mu=mu, sigma=0.4, dims="player")
        a = pm.Normal("advantage", 0, 1)
        lam = pm.Normal("log_draw", 0, 1)
        davidson(games, games.white(g) + a, games.black(g), lam)
    return m


def lkj(games):
    """Lkj."""
    with pm.Model(coords=games.coords) as m:
        chol, _corr, _sds = pm.LKJCholeskyCov("chol", n=2, eta=2, sd_dist=pm.HalfNormal.dist(1), compute_corr=True)
        z = pm.Normal("z", 0, 1, shape=(len(games.coords["player"]), 2))
        u = pt.dot(z, chol.T)
        g = pm.Deterministic("strength", u[:, 0], dims="player")
        mean = pm.Normal("mean_advantage", 0, 1)
        home = pm.Deterministic("advantage", mean + u[:, 1], dims="player")
        lam = pm.Normal("log_draw", 0, 1)
        davidson(games, games.white(g) + games.white(home), games.black(g), lam)
    return m


def spline(games):
    """Spline."""
    from scipy.interpolate import BSpline

    x = of(games, "age")
    k = 3
    inner = [25, 35]
    knots = np.r_[[15] * 4, inner, [60] * 4]
    basis = BSpline.design_matrix(x, knots, k).toarray()
    with pm.Model(coords=games.coords) as m:
        m.add_coord("spline", np.arange(basis.shape[1]))
        tau = pm.HalfNormal("tau", 1)
        w = pm.Normal("w", 0, tau, dims="spline")
        sd = pm.HalfNormal("sd", 0.7)
        u = pm.Normal("u", 0, sd, dims="player")
        g = pm.Deterministic("strength", pt.dot(basis, w) + u, dims="player")
        a = pm.Normal("advantage", 0, 1)
        lam = pm.Normal("log_draw", 0, 1)
        davidson(games, games.white(g) + a, games.black(g), lam)
    return m


def zerosum(games):
    """Zerosum."""
    with pm.Model(coords=games.coords) as m:
        sd = pm.HalfNormal("sd", 1)
        g = pm.ZeroSumNormal("strength", sigma=sd, dims="player")
        a = pm.Normal("advantage", 0, 1)
        lam = pm.Normal("log_draw", 0, 1)
        davidson(games, games.white(g) + a, games.black(g), lam)
    return m


def horseshoe(games):
    """Horseshoe."""
    with pm.Model(coords=games.coords) as m:
        tau = pm.HalfCauchy("tau", 0.5)
        local = pm.HalfCauchy("local", 1, dims="player")
        z = pm.Normal("z", 0, 1, dims="player")
        g = pm.Deterministic("strength", z * local * tau, dims="player")
        a = pm.Normal("advantage", 0, 1)
        lam = pm.Normal("log_draw", 0, 1)
        davidson(games, games.white(g) + a, games.black(g), lam)
    return m


def potential(games):
    """Potential."""
    with pm.Model(coords=games.coords) as m:
        g = pm.Flat("strength", dims="player")
        pm.Potential("identify", pm.logp(pm.Normal.dist(0, 0.01), g.mean()))
        pm.Potential("ridge", -0.5 * (g**2).sum())
        a = pm.Normal("advantage", 0, 1)
        lam = pm.Normal("log_draw", 0, 1)
        davidson(games, games.white(g) + a, games.black(g), lam)
    return m


def withdata(games):
    """Withdata."""
    with pm.Model(coords=games.coords) as m:
        mu = pm.Data("prior_mean", -0.02 * (of(games, "age") - 30), dims="player")
        rapid = pm.Data("rapid", games.column("rapid"))
        sd = pm.HalfNormal("sd", 1)
        g = pm.Normal("strength", mu, sd, dims="player")
        a = pm.Normal("advantage", 0, 1)
        b = pm.Normal("b_rapid", 0, 0.5)
        lam = pm.Normal("log_draw", 0, 1)
        davidson(games, games.white(g) + a + b * rapid, games.black(g), lam)
    return m


def logp_cd(value, mu, s):
    """Logp cd."""
    return -pt.log(2 * s) - pt.abs(value - mu) / s


def custom(games):
    """Custom."""
    with pm.Model(coords=games.coords) as m:
        s = pm.HalfNormal("s", 1)
        g = pm.CustomDist("strength", 0.0, s, logp=logp_cd, dims="player")
        a = pm.Normal("advantage", 0, 1)
        lam = pm.Normal("log_draw", 0, 1)
        davidson(games, games.white(g) + a, games.black(g), lam)
    return m


def elo(games):
    """Elo."""
    with pm.Model(coords=games.coords) as m:
        r = pm.Normal("elo", 1500, 200, dims="player")
        g = pm.Deterministic("strength", r * np.log(10) / 400, dims="player")
        a = pm.Normal("advantage", 0, 1)
        lam = pm.Normal("log_draw", 0, 1)
        davidson(games, games.white(g) + a, games.black(g), lam)
    return m


def ar(games):
    """Ar."""
    games = games.by(1)
    with pm.Model(coords=games.coords) as m:
        rho = pm.Beta("rho", 8, 2)
        s = pm.HalfNormal("s", 0.4)
        g = pm.AR(
            "strength",
            rho=rho[None] if False else pt.stack([rho]),
            sigma=s,
            init_dist=pm.Normal.dist(0, 1),
            dims=("player", "month"),
        )
        a = pm.Normal("advantage", 0, 1)
        lam = pm.Normal("log_draw", 0, 1)
        davidson(games, games.white(g) + a, games.black(g), lam)
    return m


def blade(games):
    """intransitive: a matchup term u_i x v_j - u_j x v_i."""
    with pm.Model(coords=games.coords) as m:
        sd = pm.HalfNormal("sd", 1)
        g = pm.Normal("strength", 0, sd, dims="player")
        u = pm.Normal("u", 0, 0.5, dims="player")
        v = pm.Normal("v", 0, 0.5, dims="player")
        a = pm.Normal("advantage", 0, 1)
        lam = pm.Normal("log_draw", 0, 1)
        white = games.white(g) + a + games.white(u) * games.black(v)
        black = games.black(g) + games.black(u) * games.white(v)
        davidson(games, white, black, lam)
    return m


def gammas(games):
    """Gammas."""
    with pm.Model(coords=games.coords) as m:
        worth = pm.Gamma("worth", 3, 3, dims="player")
        a = pm.Normal("advantage", 0, 1)
        lam = pm.Normal("log_draw", 0, 1)
        g = pm.Deterministic("strength", pt.log(worth), dims="player")
        davidson(games, games.white(g) + a, games.black(g), lam)
    return m


def mvn(games):
    """Mvn."""
    x = of(games, "age")
    K = np.exp(-0.5 * ((x[:, None] - x) / 8) ** 2) + 0.001 * np.eye(len(x))
    with pm.Model(coords=games.coords) as m:
        g = pm.MvNormal("strength", np.zeros(len(x)), K, dims="player")
        a = pm.Normal("advantage", 0, 1)
        lam = pm.Normal("log_draw", 0, 1)
        davidson(games, games.white(g) + a, games.black(g), lam)
    return m


def gplatent(games):
    """Gplatent."""
    with pm.Model(coords=games.coords) as m:
        ls = pm.InverseGamma("ls", 5, 50)
        eta = pm.HalfNormal("eta", 1)
        f = pm.gp.Latent(cov_func=eta**2 * pm.gp.cov.ExpQuad(1, ls=ls)).prior("f", X=of(games, "age")[:, None])
        sd = pm.HalfNormal("sd", 0.7)
        u = pm.Normal("u", 0, sd, dims="player")
        g = pm.Deterministic("strength", f + u, dims="player")
        a = pm.Normal("advantage", 0, 1)
        lam = pm.Normal("log_draw", 0, 1)
        davidson(games, games.white(g) + a, games.black(g), lam)
    return m


def drawers(games):
    """Drawers."""
    with pm.Model(coords=games.coords) as m:
        sd = pm.HalfNormal("sd", 1)
        g = pm.Normal("strength", 0, sd, dims="player")
        st = pm.HalfNormal("sd_draw", 0.5)
        t = pm.Normal("tendency", 0, st, dims="player")
        a = pm.Normal("advantage", 0, 1)
        lam = pm.Normal("log_draw", 0, 1)
        davidson(games, games.white(g) + a, games.black(g), lam + games.white(t) + games.black(t))
    return m


def consistency(games):
    """each player's own sharpness multiplies the gap."""
    with pm.Model(coords=games.coords) as m:
        sd = pm.HalfNormal("sd", 1)
        g = pm.Normal("strength", 0, sd, dims="player")
        c = pm.Normal("log_sharp", 0, 0.3, dims="player")
        a = pm.Normal("advantage", 0, 1)
        lam = pm.Normal("log_draw", 0, 1)
        k = pt.exp((games.white(c) + games.black(c)) / 2)
        davidson(games, k * (games.white(g) + a), k * games.black(g), lam)
    return m


def orderedlogistic(games):
    """Orderedlogistic."""
    with pm.Model(coords=games.coords) as m:
        sd = pm.HalfNormal("sd", 1)
        g = pm.Normal("strength", 0, sd, dims="player")
        a = pm.Normal("advantage", 0, 1)
        cuts = pm.Normal(
            "cuts", 0, 1, shape=2, transform=pm.distributions.transforms.ordered, initval=np.array([-0.5, 0.5])
        )
        eta = games.white(g) + a - games.black(g)
        pm.OrderedLogistic("result", eta=eta, cutpoints=cuts, observed=games.column("res"))
    return m


def poisson(games):
    """Poisson."""
    with pm.Model(coords=games.coords) as m:
        mu = pm.Normal("mu", 0, 1)
        home = pm.Normal("home", 0, 0.5)
        sa = pm.HalfNormal("sa", 0.5)
        att = pm.Normal("attack", 0, sa, dims="player")
        sd = pm.HalfNormal("sd", 0.5)
        dfn = pm.Normal("defence", 0, sd, dims="player")
        pm.Poisson("hg", pt.exp(mu + home + games.white(att) - games.black(dfn)), observed=games.column("white_goals"))
        pm.Poisson("ag", pt.exp(mu + games.black(att) - games.white(dfn)), observed=games.column("black_goals"))
    return m


def censored(games):
    """Censored."""
    with pm.Model(coords=games.coords) as m:
        sd = pm.HalfNormal("sd", 2)
        g = pm.Normal("strength", 0, sd, dims="player")
        a = pm.Normal("advantage", 0, 1)
        s = pm.HalfNormal("s", 3)
        mu = games.white(g) + a - games.black(g)
        pm.Censored("y", pm.Normal.dist(mu, s), lower=-3, upper=3, observed=np.clip(games.column("diff"), -3, 3))
    return m


def both(games):
    """davidson for results and a second observed variable."""
    with pm.Model(coords=games.coords) as m:
        sd = pm.HalfNormal("sd", 1)
        g = pm.Normal("strength", 0, sd, dims="player")
        a = pm.Normal("advantage", 0, 1)
        lam = pm.Normal("log_draw", 0, 1)
        davidson(games, games.white(g) + a, games.black(g), lam)
        pm.Normal(
            "rating_list", mu=2 * g, sigma=0.5, observed=np.linspace(-1, 1, len(games.coords["player"])), dims="player"
        )
    return m


def named(strength, advantage, log_draw):
    """Davidson's model with other variable names."""

    def model_of_names(games):
        with pm.Model(coords=games.coords) as m:
            g = pm.Normal(strength, 0, 0.7, dims="player")
            davidson(games, games.white(g) + pm.Normal(advantage, 0, 1), games.black(g), pm.Normal(log_draw, 0, 1))
        return m

    model_of_names.__name__ = model_of_names.__qualname__ = f"n_{strength}_{advantage}_{log_draw}"
    return model_of_names


def laplace_exp(games):
    """Laplace exp."""
    with pm.Model(coords=games.coords) as m:
        ls = pm.Normal("log_s", 0, 0.5)
        g = pm.Laplace("strength", 0, pt.exp(ls), dims="player")
        a = pm.Normal("advantage", 0, 1)
        lam = pm.Normal("log_draw", 0, 1)
        davidson(games, games.white(g) + a, games.black(g), lam)
    return m


def normal_exp(games):
    """Normal exp."""
    with pm.Model(coords=games.coords) as m:
        ls = pm.Normal("log_s", 0, 0.5)
        g = pm.Normal("strength", 0, pt.exp(ls), dims="player")
        a = pm.Normal("advantage", 0, 1)
        lam = pm.Normal("log_draw", 0, 1)
        davidson(games, games.white(g) + a, games.black(g), lam)
    return m


def shapeonly(games):
    """Shapeonly."""
    with pm.Model() as m:
        n = len(games.coords["player"])
        g = pm.Normal("strength", 0, 0.7, shape=n)
        a = pm.Normal("advantage", 0, 1)
        lam = pm.Normal("log_draw", 0, 1)
        davidson(games, games.white(g) + a, games.black(g), lam)
    return m


def prob(games):
    """expected score through a probit: plain pm.math."""
    with pm.Model(coords=games.coords) as m:
        g = pm.Normal("strength", 0, 0.7, dims="player")
        a = pm.Normal("advantage", 0, 1)
        bernoulli(games, games.white(g) + a, games.black(g))
    return m


def zscore(games):
    """covariate standardised in the function, as every tutorial does."""
    x = games.column("year")
    x = (x - x.mean()) / x.std()
    with pm.Model(coords=games.coords) as m:
        g = pm.Normal("strength", 0, 0.7, dims="player")
        a = pm.Normal("advantage", 0, 1)
        b = pm.Normal("b_year", 0, 0.5)
        lam = pm.Normal("log_draw", 0, 1)
        davidson(games, games.white(g) + a + b * x, games.black(g), lam)
    return m


def categorical(games):
    """Categorical."""
    with pm.Model(coords=games.coords) as m:
        g = pm.Normal("strength", 0, 0.7, dims="player")
        a = pm.Normal("advantage", 0, 1)
        lam = pm.Normal("log_draw", 0, 1)
        w, b = (games.white(g) + a, games.black(g))
        pm.Categorical(
            "result", logit_p=pt.stack([b, lam + (w + b) / 2, w], axis=1), observed=games.column("res").astype(int)
        )
    return m


def negbin(games):
    """Negbin."""
    with pm.Model(coords=games.coords) as m:
        mu = pm.Normal("mu", 0, 1)
        home = pm.Normal("home", 0, 0.5)
        al = pm.Exponential("alpha", 0.1)
        att = pm.Normal("attack", 0, 0.5, dims="player")
        dfn = pm.Normal("defence", 0, 0.5, dims="player")
        pm.NegativeBinomial(
            "hg",
            mu=pt.exp(mu + home + games.white(att) - games.black(dfn)),
            alpha=al,
            observed=games.column("white_goals"),
        )
        pm.NegativeBinomial(
            "ag", mu=pt.exp(mu + games.black(att) - games.white(dfn)), alpha=al, observed=games.column("black_goals")
        )
    return m


def tmargin(games):
    """Tmargin."""
    with pm.Model(coords=games.coords) as m:
        sd = pm.HalfNormal("sd", 2)
        g = pm.Normal("strength", 0, sd, dims="player")
        a = pm.Normal("advantage", 0, 1)
        s = pm.HalfNormal("s", 3)
        pm.StudentT("margin", nu=5, mu=games.white(g) + a - games.black(g), sigma=s, observed=games.column("diff"))
    return m


def venue(games):
    """Venue."""
    v = games.column("venue").astype(int)
    with pm.Model(coords=games.coords) as m:
        g = pm.Normal("strength", 0, 0.7, dims="player")
        sv = pm.HalfNormal("sd_venue", 0.5)
        u = pm.Normal("u_venue", 0, sv, shape=5)
        lam = pm.Normal("log_draw", 0, 1)
        davidson(games, games.white(g) + u[v], games.black(g), lam)
    return m


def homeplayer(games):
    """Homeplayer."""
    with pm.Model(coords=games.coords) as m:
        sd = pm.HalfNormal("sd", 1)
        g = pm.Normal("skill", 0, sd, dims="player")
        lam = pm.Normal("kappa", 0, 1)
        mh = pm.Normal("mu_home", 0, 0.5)
        sh = pm.HalfNormal("sd_home", 0.5)
        h = pm.Normal("home", mh, sh, dims="player")
        davidson(games, games.white(g) + games.white(h), games.black(g), lam)
    return m


def uniform(games):
    """Uniform."""
    with pm.Model(coords=games.coords) as m:
        g = pm.Uniform("strength", -3, 3, dims="player")
        a = pm.Normal("advantage", 0, 1)
        lam = pm.Normal("log_draw", 0, 1)
        davidson(games, games.white(g) + a, games.black(g), lam)
    return m


def truncated(games):
    """Truncated."""
    with pm.Model(coords=games.coords) as m:
        sd = pm.HalfNormal("sd", 1)
        g = pm.Normal("strength", 0, sd, dims="player")
        a = pm.TruncatedNormal("advantage", 0, 1, lower=0)
        lam = pm.Normal("log_draw", 0, 1)
        davidson(games, games.white(g) + a, games.black(g), lam)
    return m


def skew(games):
    """Skew."""
    with pm.Model(coords=games.coords) as m:
        sd = pm.HalfNormal("sd", 1)
        g = pm.SkewNormal("strength", mu=0, sigma=sd, alpha=2, dims="player")
        a = pm.Normal("advantage", 0, 1)
        lam = pm.Normal("log_draw", 0, 1)
        davidson(games, games.white(g) + a, games.black(g), lam)
    return m


def dirichlet(games):
    """Dirichlet."""
    with pm.Model(coords=games.coords) as m:
        w = pm.Dirichlet("worth", np.full(len(games.coords["player"]), 2.0), dims="player")
        a = pm.Normal("advantage", 0, 1)
        lam = pm.Normal("log_draw", 0, 1)
        g = pm.Deterministic("strength", pt.log(w), dims="player")
        davidson(games, games.white(g) + a, games.black(g), lam)
    return m


def rapidstrength(games):
    """Rapidstrength."""
    r = games.column("rapid")
    with pm.Model(coords=games.coords) as m:
        g = pm.Normal("strength", 0, 0.7, dims="player")
        s = pm.HalfNormal("sd_rapid", 0.5)
        q = pm.Normal("rapid_strength", 0, s, dims="player")
        a = pm.Normal("advantage", 0, 1)
        lam = pm.Normal("log_draw", 0, 1)
        davidson(games, games.white(g) + a + r * games.white(q), games.black(g) + r * games.black(q), lam)
    return m


def leveldraw(games):
    """Leveldraw."""
    with pm.Model(coords=games.coords) as m:
        g = pm.Normal("strength", 0, 0.7, dims="player")
        a = pm.Normal("advantage", 0, 1)
        c = pm.Normal("c", 0, 1)
        e = pm.Normal("e", 0, 0.5)
        davidson(games, games.white(g) + a, games.black(g), c + e * (games.white(g) + games.black(g)))
    return m


def trend(games):
    """Trend."""
    t = games.column("year") - 2023.3
    with pm.Model(coords=games.coords) as m:
        g = pm.Normal("strength", 0, 0.7, dims="player")
        q = pm.Normal("slope", 0, 0.5, dims="player")
        a = pm.Normal("advantage", 0, 1)
        lam = pm.Normal("log_draw", 0, 1)
        davidson(games, games.white(g) + a + t * games.white(q), games.black(g) + t * games.black(q), lam)
    return m


def year(games):
    """Year."""
    with pm.Model(coords=games.coords) as m:
        sd = pm.HalfNormal("sd", 1)
        g = pm.Normal("strength", 0, sd, dims="player")
        a = pm.Normal("advantage", 0, 1)
        b = pm.Normal("b_year", 0, 0.001)
        lam = pm.Normal("log_draw", 0, 1)
        davidson(games, games.white(g) + a + b * games.column("year"), games.black(g), lam)
    return m


def zip_goals(games):
    """Goals with more zeros than Poisson's."""
    with pm.Model(coords=games.coords) as m:
        attack = pm.Normal("attack", 0, 0.5, dims="player")
        psi = pm.Beta("psi", 8, 2)
        for name, rate in (
            ("hg", games.white(attack) - games.black(attack)),
            ("ag", games.black(attack) - games.white(attack)),
        ):
            pm.ZeroInflatedPoisson(
                name,
                psi=psi,
                mu=pt.exp(0.2 + rate),
                observed=games.observed(f"{'white' if name == 'hg' else 'black'}_goals"),
            )
    return m


def ordered_probit(games):
    """Ordered probit of the result."""
    with pm.Model(coords=games.coords) as m:
        g = pm.Normal("strength", 0, 0.7, dims="player")
        width = pm.HalfNormal("width", 1)
        pm.OrderedProbit(
            "y",
            eta=games.white(g) - games.black(g),
            cutpoints=pt.stack([-width, width]),
            observed=games.observed("result").astype(int),
            compute_p=False,
        )
    return m


def best(games):
    """Best player as a variable."""
    with pm.Model(coords=games.coords) as m:
        g = pm.Normal("strength", 0, 0.7, dims="player")
        lam = pm.Normal("log_draw", 0, 1)
        pm.Deterministic("best", pt.eq(pt.argmax(g), 3))
        davidson(games, games.white(g), games.black(g), lam)
    return m


def countries(games):
    """Players in teams in countries."""
    team, country = of(games, "team").astype(int), of(games, "country").astype(int)
    with pm.Model(coords=games.coords) as m:
        of_country = pm.Normal("of_country", 0, 0.5, shape=2)
        of_team = pm.Normal("of_team", 0, 0.5, shape=4)
        own = pm.Normal("own", 0, pm.HalfNormal("sd", 0.7), dims="player")
        g = pm.Deterministic("strength", of_country[country] + of_team[team] + own, dims="player")
        davidson(games, games.white(g), games.black(g), pm.Normal("log_draw", 0, 1))
    return m


def interaction(games):
    """Two centred columns and their product."""
    rapid, year = games.column("rapid"), games.column("year")
    rapid, year = rapid - rapid.mean(), (year - year.min()) / (year.max() - year.min())
    with pm.Model(coords=games.coords) as m:
        g = pm.Normal("strength", 0, 0.7, dims="player")
        b = pm.Normal("b", 0, 0.5, shape=3)
        white = games.white(g) + b[0] * rapid + b[1] * year + b[2] * rapid * year
        davidson(games, white, games.black(g), pm.Normal("log_draw", 0, 1))
    return m


def icar(games):
    """Correlation of neighbours in a table: an intrinsic autoregression over players."""
    n = len(games.coords["player"])
    neighbours = (np.abs(np.subtract.outer(np.arange(n), np.arange(n))) == 1).astype(int)
    with pm.Model(coords=games.coords) as m:
        g = pm.ICAR("strength", W=neighbours, sigma=0.7, dims="player")
        davidson(games, games.white(g), games.black(g), pm.Normal("log_draw", 0, 1))
    return m


def mvt(games):
    """Strengths with a joint Student's t distribution."""
    n = len(games.coords["player"])
    with pm.Model(coords=games.coords) as m:
        g = pm.MvStudentT("strength", nu=5, mu=np.zeros(n), scale=0.5 * np.eye(n), dims="player")
        davidson(games, games.white(g), games.black(g), pm.Normal("log_draw", 0, 1))
    return m


def skellam(games):
    """Integer margin as the difference of two Poisson counts, by a custom density."""

    def density(value, first, second):
        k = pt.arange(40)[:, None]
        both = pm.logp(pm.Poisson.dist(first), k + value) + pm.logp(pm.Poisson.dist(second), k)
        return pt.log(pt.exp(both).sum(0))

    with pm.Model(coords=games.coords) as m:
        g = pm.Normal("strength", 0, 0.5, dims="player")
        gap = (games.white(g) - games.black(g)) / 2
        pm.CustomDist(
            "y", pt.exp(gap), pt.exp(-gap), logp=density, dtype="int64", observed=games.observed("diff").astype(int)
        )
    return m


def median(games):
    """A column split at its median."""
    late = games.column("year") > np.median(games.column("year"))
    with pm.Model(coords=games.coords) as m:
        g = pm.Normal("strength", 0, 0.7, dims="player")
        davidson(games, games.white(g) + pm.Normal("b", 0, 0.5) * late, games.black(g), pm.Normal("log_draw", 0, 1))
    return m


def winner(games):
    """Wins as the only observation, which give no draws: refused before sampling."""
    with pm.Model(coords=games.coords) as m:
        g = pm.Normal("strength", 0, 0.7, dims="player")
        pm.Bernoulli("y", logit_p=games.white(g) - games.black(g), observed=games.observed("result") == 2)
    return m


nu = named("strength", "advantage", "nu")
home = named("strength", "home", "log_draw")
theta = named("theta", "advantage", "log_draw")
NAMES = [
    "hier",
    "noncentred",
    "teamplayer",
    "student",
    "gp",
    "rw",
    "covar",
    "ordinal",
    "rk",
    "mixture",
    "lkj",
    "spline",
    "zerosum",
    "horseshoe",
    "potential",
    "withdata",
    "custom",
    "elo",
    "ar",
    "blade",
    "gammas",
    "mvn",
    "gplatent",
    "drawers",
    "consistency",
    "orderedlogistic",
    "poisson",
    "censored",
    "both",
    "nu",
    "home",
    "theta",
    "laplace_exp",
    "normal_exp",
    "shapeonly",
    "prob",
    "zscore",
    "categorical",
    "negbin",
    "tmargin",
    "venue",
    "homeplayer",
    "uniform",
    "truncated",
    "skew",
    "dirichlet",
    "rapidstrength",
    "leveldraw",
    "trend",
    "year",
    "zip_goals",
    "ordered_probit",
    "best",
    "countries",
    "interaction",
    "icar",
    "mvt",
    "skellam",
    "median",
    "winner",
]
