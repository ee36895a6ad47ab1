// An array, and as many loops as the concurrency.
export async function open() {
  const waiting = [];
  return {
    push: async (payload) => waiting.push(payload),
    pushMany: async (payloads) => waiting.push(...payloads),
    async work(concurrency, onJob) {
      let next = 0;
      const loop = async () => {
        while (next < waiting.length) await onJob(waiting[next++]);
      };
      for (let n = 0; n < concurrency; n += 1) void loop();
    },
    close: async () => {},
  };
}
