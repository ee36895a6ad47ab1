export * from '../in-memory/app.controller.js';
