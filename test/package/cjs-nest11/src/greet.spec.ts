import 'reflect-metadata';
import { Test } from '@nestjs/testing';
import { AppModule } from './app.module.js';
import { greetOnce } from './greet-once.js';

test('a pushed job runs in the application', async () => {
  const moduleRef = await Test.createTestingModule({ imports: [AppModule] }).compile();
  const app = await moduleRef.init();
  expect(await greetOnce(app)).toBe('Ada 2026-01-02T03:04:05.678Z attempt 1');
  await app.close();
});
