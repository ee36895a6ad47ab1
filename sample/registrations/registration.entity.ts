import { Entity, PrimaryKey, Property } from '@mikro-orm/core';

@Entity({ tableName: 'registrations' })
export class Registration {
  @PrimaryKey()
  id!: number;

  @Property()
  email!: string;

  @Property()
  name!: string;

  @Property()
  registeredAt!: Date;
}
