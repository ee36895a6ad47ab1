import type { ServerOrm } from './sql-servers.js';

/** The schema of the queue's tables as lines of text, the same on every server of a kind. */
export async function schemaLines(orm: ServerOrm, kind: keyof typeof QUERIES): Promise<string[]> {
  const rows = (await orm.em.getConnection().execute(QUERIES[kind])) as { line: string }[];
  return rows.map(({ line }) => line);
}

const QUERIES = {
  postgresql: `
    select line from (
      select 'table ' || c.relname || coalesce(' with ' || array_to_string(c.reloptions, ', '), '') as line
      from pg_class c where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
      union all
      select concat_ws(
        ' ', 'column', c.relname || '.' || a.attname, format_type(a.atttypid, a.atttypmod),
        case when a.attcollation <> 0 then 'collate "' || (select collname from pg_collation where oid = a.attcollation) || '"' end,
        case when a.attnotnull then 'not null' end,
        case a.attidentity when 'a' then 'generated always as identity' end
      )
      from pg_attribute a join pg_class c on c.oid = a.attrelid
      where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped
      union all
      select 'index ' || replace(indexdef, ' ' || schemaname || '.', ' ') from pg_indexes where schemaname = current_schema()
    ) as lines
    where line like '%queue%'
    order by line collate "C"`,
  mysql: `
    select line from (
      select concat_ws(' ', 'table', table_name, engine) as line
      from information_schema.tables where table_schema = database()
      union all
      select concat_ws(
        ' ', 'column', concat(table_name, '.', column_name), column_type, collation_name,
        if(is_nullable = 'NO', 'not null', null), nullif(extra, '')
      )
      from information_schema.columns where table_schema = database()
      union all
      select concat_ws(
        ' ', if(min(non_unique), 'index', 'unique index'), concat(table_name, '.', index_name),
        group_concat(column_name, if(collation = 'D', ' desc', '') order by seq_in_index separator ', ')
      )
      from information_schema.statistics where table_schema = database() group by table_name, index_name
    ) as \`lines\`
    where line like '%queue%'
    order by convert(line using ascii) collate ascii_bin`,
};
