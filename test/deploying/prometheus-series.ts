import { DataPointType, type MetricData } from '@opentelemetry/sdk-metrics';

/** The series that a metric of OpenTelemetry becomes in Prometheus. */
export interface Series {
  /** Without the metric's unit, as an application exports it, and with it, as a collector does. */
  readonly names: readonly string[];
  /** Values that were seen of each label. */
  readonly labels: ReadonlyMap<string, ReadonlySet<string>>;
}

const sanitized = (name: string): string => name.replaceAll(/[^a-zA-Z0-9_:]+/g, '_');

/**
 * By https://opentelemetry.io/docs/specs/otel/compatibility/prometheus_and_openmetrics/: dots become underscores, a counter
 * ends in `_total`, a histogram is three series, and of units those in braces are left out.
 */
export function seriesOf({ descriptor, dataPointType, dataPoints }: MetricData): Series {
  const base = sanitized(descriptor.name);
  const suffixes =
    dataPointType === DataPointType.HISTOGRAM
      ? ['_bucket', '_sum', '_count']
      : [dataPointType === DataPointType.SUM ? '_total' : ''];
  const units = descriptor.unit === 's' ? ['', '_seconds'] : [''];
  const labels = new Map<string, Set<string>>();
  for (const { attributes } of dataPoints) {
    for (const [key, value] of Object.entries(attributes)) {
      const label = sanitized(key);
      labels.set(label, (labels.get(label) ?? new Set<string>()).add(String(value)));
    }
  }
  return { names: units.flatMap((unit) => suffixes.map((suffix) => `${base}${unit}${suffix}`)), labels };
}
