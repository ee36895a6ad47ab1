export * from '../../in-memory/mail/mail.module.js';
