import { Migration } from '@mikro-orm/migrations';

export class RegistrationsTable extends Migration {
  override up(): void {
    this.addSql(
      'create table registrations (id integer primary key, email text not null, name text not null, ' +
        'registered_at integer not null)',
    );
  }

  override down(): void {
    this.addSql('drop table registrations');
  }
}
