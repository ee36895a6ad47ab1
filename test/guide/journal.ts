import { Injectable } from '@nestjs/common';

/** What the examples of the guide have done. */
@Injectable()
export class Journal {
  readonly lines: string[] = [];

  write(line: string): void {
    this.lines.push(line);
  }
}
