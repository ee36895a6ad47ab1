// A process of one contestant: it opens its driver, does what the parent asks, and answers with what it measured.
import { measurements } from './measurements.mjs';

const { driver, where, options } = JSON.parse(process.argv[2]);
const { open } = await import(driver);
const contestant = await open(where, options);

process.on('message', async ({ call, command, args }) => {
  try {
    process.send({ call, answer: await measurements[command](contestant, args) });
  } catch (error) {
    process.send({ call, error: String(error?.stack ?? error) });
  }
});
process.on('disconnect', () => process.exit());
process.send({ call: 'ready' });
