/** The shortest lease that this process has met, in seconds: it bounds how long a statement may wait for a lock. */
export class ShortestLease {
  constructor(private shortest: number) {}

  get seconds(): number {
    return this.shortest;
  }

  met(leaseSeconds: number | null): void {
    if (leaseSeconds !== null && leaseSeconds > 0 && leaseSeconds < this.shortest)
      this.shortest = leaseSeconds;
  }
}
