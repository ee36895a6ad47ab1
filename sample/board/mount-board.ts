import { createBullBoard } from '@bull-board/api';
import { ExpressAdapter } from '@bull-board/express';
import type { INestApplication } from '@nestjs/common';
import { bullBoardQueues } from '@kinetis/nestjs-queue/bull-board';
import { passwordGuard } from './password-guard.js';

export const BOARD_PATH = '/queues';

/** Shows the queues at /queues. The guard stands before the board in one `use()`: no path reaches one and not the other. */
export function mountBoard(app: INestApplication, password: string): void {
  const serverAdapter = new ExpressAdapter().setBasePath(BOARD_PATH);
  createBullBoard({
    queues: bullBoardQueues(app),
    serverAdapter,
    options: {
      uiConfig: {
        boardTitle: 'Kinetis Queue',
        hideRedisDetails: true,
        hideDocsLink: true,
        showMetrics: false,
      },
    },
  });
  app.use(BOARD_PATH, passwordGuard(password), serverAdapter.getRouter());
}
