// From the figures of each round to medians, spreads and ratios.
const sorted = (values) => values.toSorted((a, b) => a - b);
const quantile = (values, share) =>
  sorted(values)[Math.min(values.length - 1, Math.floor(share * values.length))];
const median = (values) => {
  const all = sorted(values);
  const half = all.length >> 1;
  return all.length % 2 === 1 ? all[half] : (all[half - 1] + all[half]) / 2;
};
const spreadOf = (values) => ({ min: Math.min(...values), max: Math.max(...values) });

/** The latency samples of a round become two figures. */
function flat(figures) {
  const { latency, ...rest } = figures;
  if (latency === undefined) return rest;
  return { ...rest, 'latency.p50': quantile(latency, 0.5), 'latency.p99': quantile(latency, 0.99) };
}

/** Where less is better, the best peer is the smallest. */
const lessIsBetter = (name) => !name.startsWith('drain') && !name.startsWith('enqueue');

function ratio(rounds, ours, other, name) {
  const ratios = rounds
    .filter((round) => round[ours]?.[name] !== undefined && round[other]?.[name] !== undefined)
    .map((round) => round[ours][name] / round[other][name]);
  return ratios.length === 0 ? null : { median: median(ratios), ...spreadOf(ratios) };
}

function leaf(rounds, contestants, name) {
  const valuesOf = ({ name: who }) =>
    rounds.map((round) => round[who]?.[name]).filter((value) => value !== undefined);
  const figureOf = (contestant) => {
    const values = valuesOf(contestant);
    return values.length === 0 ? null : { median: median(values), ...spreadOf(values) };
  };
  const of = (kind) => contestants.filter((contestant) => contestant.kind === kind);
  const measured = (kind) => of(kind).filter((contestant) => valuesOf(contestant).length > 0);
  const order = lessIsBetter(name) ? 1 : -1;
  const [best] = measured('peer').toSorted((a, b) => order * (median(valuesOf(a)) - median(valuesOf(b))));
  const [ours] = of('ours');
  const [bare] = measured('bare');
  return {
    ours: figureOf(ours),
    oursRequestScoped: figureOf(of('scoped')[0]),
    peers: Object.fromEntries(measured('peer').map((peer) => [peer.name, figureOf(peer)])),
    bare: bare === undefined ? null : figureOf(bare),
    bestPeer: best?.name ?? null,
    ratioToBestPeer: best === undefined ? null : ratio(rounds, ours.name, best.name, name),
    ratioToBare: bare === undefined ? null : ratio(rounds, ours.name, bare.name, name),
  };
}

/** `{ enqueue: { one, … }, drain: { c1, … }, latency: { p50, p99 }, … }`, each leaf with medians, spreads and ratios. */
export function summarize(rounds, contestants) {
  const flatRounds = rounds.map((round) =>
    Object.fromEntries(Object.entries(round).map(([who, figures]) => [who, flat(figures)])),
  );
  const names = [...new Set(flatRounds.flatMap((round) => Object.values(round).flatMap(Object.keys)))];
  const summary = {};
  for (const name of names) {
    const [group, key] = name.split('.');
    summary[group] ??= {};
    summary[group][key] = leaf(flatRounds, contestants, name);
  }
  return summary;
}
