/** Two-sided 95 % of Student's distribution, near enough from 5 degrees of freedom on. */
const studentOf = (freedom) => 1.96 + 2.5 / freedom;

/**
 * A line through points by least squares: its slope, and how far the true one may be from it at 95 % confidence. Infinity
 * where there are too few points to say.
 */
export function trendOf(points) {
  const count = points.length;
  const meanX = meanOf(points.map(([x]) => x));
  const meanY = meanOf(points.map(([, y]) => y));
  const squares = points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
  if (count < 7 || squares === 0) return { slope: 0, within: Infinity, mean: meanY, count };
  const slope = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0) / squares;
  const errors = points.reduce((sum, [x, y]) => sum + (y - meanY - slope * (x - meanX)) ** 2, 0);
  const freedom = count - 2;
  return { slope, within: studentOf(freedom) * Math.sqrt(errors / freedom / squares), mean: meanY, count };
}

/** Whether a slope stays at or below a bound: `holds`, `fails`, or `cannot tell` where its confidence spans the bound. */
export function judgeSlope({ slope, within }, bound) {
  if (slope + within <= bound) return 'holds';
  return slope - within > bound ? 'fails' : 'cannot tell';
}

export function meanOf(values) {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
