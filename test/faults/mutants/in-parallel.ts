/** Runs tasks, so many at a time; answers what each gave, in order. */
export async function inParallel<Task, Result>(
  tasks: readonly Task[],
  atOnce: number,
  run: (task: Task) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const left = [...tasks.entries()];
  const work = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      const [place, task] = next;
      results[place] = await run(task);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return results;
}
