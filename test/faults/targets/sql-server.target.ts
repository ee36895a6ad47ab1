import { migrateSqlQueue, sql, type SqlOptions } from '../../../lib/sql.js';
import { newPrivateMariadb } from '../../support/private-mariadb.js';
import { newPrivatePostgres } from '../../support/private-postgres.js';
import type { PrivateServer } from '../../support/private-server.js';
import { sqlRequests } from '../../support/sql-requests.js';
import { driverNamed, type ServerAddress, type ServerDriver } from '../../support/sql-servers.js';
import type { OpenTargetOptions, Role, TargetKind } from '../target.js';
import { FENCED_LEASES } from './delivery-rules.js';
import { faultEnvironment } from './fault-environment.js';
import type { Protocol } from './fault-wire.js';
import { serverFaults } from './server-faults.js';
import { storedTarget } from './stored-target.js';
import { newTestName } from './test-name.js';
import { onlyAddress, openWays } from './ways.js';

const PROTOCOL: Protocol = { requests: sqlRequests, answersSettlements: true };
/** A silent server is given up on soon, so that a trial ends in seconds. */
const COMMAND_TIMEOUT_MS = 1_500;

interface SqlServer {
  readonly name: 'postgres' | 'mariadb';
  readonly driver: ServerDriver;
  /** The database that is there from the start. */
  readonly first: string;
  newServer(): Promise<PrivateServer>;
  drop(database: string): string;
}

const postgres: SqlServer = {
  name: 'postgres',
  driver: driverNamed('postgresql'),
  first: 'postgres',
  newServer: newPrivatePostgres,
  drop: (database) => `drop database ${database} with (force)`,
};

const mariadb: SqlServer = {
  name: 'mariadb',
  driver: driverNamed('mariadb'),
  first: 'mysql',
  newServer: newPrivateMariadb,
  drop: (database) => `drop database ${database}`,
};

export const postgresTarget = targetOf(postgres);
export const mariadbTarget = targetOf(mariadb);

function targetOf(server: SqlServer): TargetKind {
  const kind = { name: server.name, rules: FENCED_LEASES };
  return { ...kind, open: (options) => open(server, kind, options) };
}

/** A database of the trial's own, on a server of its own where that is to be killed. */
async function open(
  { driver, first, newServer, drop }: SqlServer,
  kind: Pick<TargetKind, 'name' | 'rules'>,
  { needs, leaseSeconds }: OpenTargetOptions,
) {
  const server = needs.server ? await newServer() : null;
  await server?.start();
  const address: ServerAddress =
    server === null ? driver.address : { host: '127.0.0.1', port: server.port, user: driver.address.user };
  const database = newTestName();
  const administer = (statement: string): Promise<void> => execute(driver, address, first, statement);
  await administer(`create database ${database}`);
  const optionsAt = ({ host, port }: Pick<ServerAddress, 'host' | 'port'>): SqlOptions => ({
    connection: { driver: driver.name, ...address, host, port, database },
    leaseSeconds,
    ...(needs.server || needs.proxy ? { commandTimeoutMs: COMMAND_TIMEOUT_MS } : {}),
  });
  const direct = optionsAt(address);
  if (direct.connection !== undefined) await migrateSqlQueue(direct.connection);
  const ways = await openWays([address], PROTOCOL, needs.proxy);
  return storedTarget({
    kind,
    leaseSeconds,
    environment: (role: Role) =>
      faultEnvironment({ driver: 'sql', options: optionsAt(onlyAddress(ways.addresses[role])) }),
    direct: sql(direct),
    server: server === null ? null : serverFaults(server),
    proxies: ways.proxies,
    async remove() {
      await ways.close();
      if (server === null) await administer(drop(database));
      else await server.remove();
    },
  });
}

async function execute(
  driver: ServerDriver,
  { host, port, user }: ServerAddress,
  dbName: string,
  statement: string,
): Promise<void> {
  const orm = await driver.open({ dbName, host, port, user });
  try {
    await orm.em.getConnection().execute(statement);
  } finally {
    await orm.close(true);
  }
}
