import { Controller, Get, Header } from '@nestjs/common';

const PAGE = `Kinetis Queue for NestJS: the sample application

POST /registrations   email and name; stores a registration and sends a welcome mail by a job on the queue "mail"
POST /reports         month (like 2026-11, this month without it); counts its registrations by a job on "reports"
GET  /health/ready    200 while the queue's database answers (/health is the same)
GET  /health/backlog  503 when more jobs wait than SAMPLE_BACKLOG_LIMIT
GET  /queues          the queues and their jobs, behind SAMPLE_BOARD_PASSWORD or the password that the start printed
`;

@Controller()
export class HomeController {
  @Get()
  @Header('Content-Type', 'text/plain; charset=utf-8')
  describe(): string {
    return PAGE;
  }
}
