import { Injectable, type OnModuleDestroy } from '@nestjs/common';

/** Stands for a connection pool of the application: open until Nest destroys its module. */
@Injectable()
export class Database implements OnModuleDestroy {
  open = true;

  onModuleDestroy(): void {
    this.open = false;
  }
}
