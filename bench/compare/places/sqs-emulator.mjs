import { startFauxqs } from 'fauxqs';

const { port } = await startFauxqs({ port: 0, logger: false });
process.send({ port });
process.on('disconnect', () => process.exit());
