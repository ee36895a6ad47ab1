import { Injectable } from '@nestjs/common';

@Injectable()
export class Ledger {
  readonly lines: string[] = [];

  write(line: string): void {
    this.lines.push(line);
  }
}
