/**
 * Kubernetes gives every pod variables for each service of its namespace: a service "queue" brings `QUEUE_PORT`,
 * `QUEUE_SERVICE_HOST`, `QUEUE_PORT_6379_TCP=tcp://…`. They are nobody's configuration.
 */
export function isPlatformVariable(variable: string, value: string): boolean {
  if (/^[a-z]+:\/\//.test(value) && /_PORT(_|$)/.test(variable)) return true;
  return /^QUEUE_(SERVICE_(HOST|PORT)|PORT$|PORT_\d+_)/.test(variable);
}
