import { Injectable } from '@nestjs/common';
import { MikroORM } from '@mikro-orm/core';
import { appendLine } from '../append-line.js';
import { Registration } from '../registrations/registration.entity.js';
import { readSettings } from '../settings.js';

/** Counts the registrations of a month and writes a line to the reports file. */
@Injectable()
export class ReportBuilder {
  readonly #reportsFile = readSettings().reportsFile;

  constructor(private readonly orm: MikroORM) {}

  async build(month: string): Promise<void> {
    const from = new Date(`${month}-01T00:00:00Z`);
    const until = new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + 1, 1));
    const registrations = await this.orm.em
      .fork()
      .count(Registration, { registeredAt: { $gte: from, $lt: until } });
    await appendLine(this.#reportsFile, `${month}: ${registrations} registrations`);
  }
}
