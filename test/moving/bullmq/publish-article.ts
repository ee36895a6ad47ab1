import { Injectable } from '@nestjs/common';
import { Handle, Job, Queue } from '@kinetis/nestjs-queue';

@Injectable()
export class Articles {
  readonly steps: string[] = [];
}

@Job({ queue: 'articles' })
export class RenderArticle {
  constructor(readonly article: number) {}

  @Handle()
  handle(articles: Articles): void {
    articles.steps.push(`rendered ${this.article}`); // what the next step needs is kept by the application
  }
}

@Job({ queue: 'articles' })
export class AnnounceArticle {
  constructor(readonly article: number) {}

  @Handle()
  handle(articles: Articles): void {
    articles.steps.push(`announced ${this.article}`);
  }
}

@Injectable()
export class Publishing {
  constructor(private readonly queue: Queue) {}

  /** The second is stored when the first has succeeded. */
  publish(article: number): Promise<string[]> {
    return this.queue.chain([new RenderArticle(article), new AnnounceArticle(article)]);
  }
}
