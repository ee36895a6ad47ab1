export * from './bull-board/index.js';
