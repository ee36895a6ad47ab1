import { runWorker } from '@kinetis/nestjs-queue';
import { AppModule } from './app.module.js';

void runWorker(AppModule);
