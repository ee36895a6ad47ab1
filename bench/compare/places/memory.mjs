// No server: each process is its own store.
export async function openPlace() {
  return {
    settings: 'in one process',
    inProcess: true,
    fresh: async () => ({ ours: { name: 'memory', options: {} } }),
    close: async () => {},
  };
}
