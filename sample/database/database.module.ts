import { Global, Injectable, Module, type OnApplicationShutdown } from '@nestjs/common';
import { MikroORM } from '@mikro-orm/core';
import { readSettings } from '../settings.js';
import { openDatabase } from './open-database.js';

/** Closes the database last: a worker that is stopping still settles its jobs over it. */
@Injectable()
class DatabaseCloser implements OnApplicationShutdown {
  constructor(private readonly orm: MikroORM) {}

  async onApplicationShutdown(): Promise<void> {
    await this.orm.close(true);
  }
}

/** The application's own MikroORM, as `@mikro-orm/nestjs` would provide it. */
@Global()
@Module({
  providers: [
    { provide: MikroORM, useFactory: () => openDatabase(readSettings().databaseFile) },
    DatabaseCloser,
  ],
  exports: [MikroORM],
})
export class DatabaseModule {}
