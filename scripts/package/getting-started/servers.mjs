import { randomBytes } from 'node:crypto';
import { MikroORM } from '@mikro-orm/postgresql';
import { Redis } from 'ioredis';
import { findBackends, testBackends } from '../../test-backends.mjs';

const uniqueName = () => `kinetis_test_${randomBytes(6).toString('hex')}`;

function addressIn(name) {
  const { server } = testBackends.find((backend) => backend.name === name);
  return process.env[server.variable];
}

/** Keys of our own on the server of the tests. */
function redis() {
  const url = addressIn('redis') || 'redis://127.0.0.1:6379';
  const prefix = uniqueName();
  return {
    name: 'redis',
    env: { REDIS_URL: url, QUEUE_PREFIX: prefix },
    async close() {
      const client = new Redis(url);
      const keys = await client.keys(`${prefix}:*`);
      if (keys.length > 0) await client.del(keys);
      client.disconnect();
    },
  };
}

/** A database of our own on the server of the tests. */
async function postgres() {
  const url = new URL(addressIn('postgres') || 'postgresql://postgres@127.0.0.1:5432');
  const name = uniqueName();
  const orm = await MikroORM.init({
    clientUrl: url.href,
    dbName: 'postgres',
    entities: [],
    discovery: { warnWhenNoEntities: false },
  });
  const execute = (statement) => orm.em.getConnection().execute(statement);
  await execute(`create database ${name}`);
  url.pathname = `/${name}`;
  return {
    name: 'postgres',
    env: { DB_URL: url.href },
    async close() {
      await execute(`drop database ${name} with (force)`);
      await orm.close(true);
    },
  };
}

const open = { redis, postgres };

/** The servers that the page names and that answer: `{ name, env, close }`, `env` being what is other than on the page. */
export async function openServers() {
  const wanted = testBackends.filter(({ name }) => name in open);
  const { present, absent } = await findBackends(wanted);
  const missing = absent.map(({ name, missing: why }) => `${name}: ${why}`).join('; ');
  if (missing !== '' && process.env.KINETIS_TEST_REQUIRE === 'all') throw new Error(missing);
  if (missing !== '') console.log(`skipped on the way: ${missing}`);
  return Promise.all(present.map((name) => open[name]()));
}
