export * from '../in-memory/app.service.js';
