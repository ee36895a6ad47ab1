// The summary as a table of text.
const figure = (value, group) => {
  if (value === null || value === undefined) return '–';
  const digits = group === 'latency' ? 2 : group === 'cpuMicrosPerJob' ? 1 : 0;
  return value.median.toLocaleString('en', { maximumFractionDigits: digits, minimumFractionDigits: digits });
};
const times = (value) =>
  value === null ? '–' : `${value.median.toFixed(2)} (${value.min.toFixed(2)}–${value.max.toFixed(2)})`;
const units = {
  enqueue: 'pushes/s',
  drain: 'jobs/s',
  cpuMicrosPerJob: 'CPU µs a job',
  rssMb: 'RSS MB',
  latency: 'ms',
};

export function tableOf(summary) {
  const peers = [
    ...new Set(
      Object.values(summary).flatMap((leaves) =>
        Object.values(leaves).flatMap(({ peers: all }) => Object.keys(all)),
      ),
    ),
  ];
  const head = ['', 'unit', 'ours', 'request-scoped', ...peers, 'bare', '÷ best peer', '÷ bare'];
  const rows = Object.entries(summary).flatMap(([group, leaves]) =>
    Object.entries(leaves).map(([key, leaf]) => [
      `${group} ${key}`,
      units[group],
      figure(leaf.ours, group),
      figure(leaf.oursRequestScoped, group),
      ...peers.map((peer) => figure(leaf.peers[peer], group)),
      figure(leaf.bare, group),
      times(leaf.ratioToBestPeer),
      times(leaf.ratioToBare),
    ]),
  );
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column].length)));
  const line = (row) =>
    row
      .map((cell, column) => (column < 2 ? cell.padEnd(widths[column]) : cell.padStart(widths[column])))
      .join('  ');
  return [line(head), ...rows.map(line)].join('\n');
}
