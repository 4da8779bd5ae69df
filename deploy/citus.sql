-- Distributes a database of the product, on a Citus cluster whose nodes have joined already. The keys of the next release
-- must be there (docs/distributed.md). Run it as the owner of the tables, with no process of the product running:
--   psql -v ON_ERROR_STOP=1 -f citus.sql "$DATABASE_URL"
begin;
set local citus.multi_shard_modify_mode = 'sequential';
-- For the product too: who deletes an account changes rows of all schools and then a reference table, which Citus refuses
-- after it has changed them at all nodes at once.
do $$
begin
  execute format('alter database %I set citus.multi_shard_modify_mode = %L', current_database(), 'sequential');
end $$;

-- Making a reference table of `users` or `schools` resets the sequence of its ids: where they are, for later.
create temporary table positions on commit drop as
  select table_name as name, pg_get_serial_sequence(quote_ident(table_name), 'id') as sequence,
    pg_sequence_last_value(pg_get_serial_sequence(quote_ident(table_name), 'id')::regclass) as last
  from information_schema.columns
  where table_schema = current_schema() and column_name = 'id' and is_identity = 'YES';

-- Distributed tables and reference tables take no triggers, and those that fill columns in a rolling upgrade are over.
do $$
declare found record;
begin
  for found in select tgname, tgrelid::regclass as relation from pg_trigger
    where not tgisinternal and tgrelid in (
      'users'::regclass, 'schools'::regclass, 'entries'::regclass, 'entry_schools'::regclass, 'reviews'::regclass,
      'review_counts'::regclass, 'relation_counts'::regclass, 'helpful_marks'::regclass,
      'moderation_items'::regclass, 'held_hides'::regclass, 'reports'::regclass, 'appeals'::regclass,
      'review_events'::regclass) and tgname <> 'review_events_append_only'
  loop
    execute format('drop trigger %I on %s', found.tgname, found.relation);
  end loop;
end $$;

-- The foreign keys go first and come back when both of their tables are where they belong.
create temporary table foreign_keys on commit drop as
  select conrelid::regclass::text as relation, conname as name, pg_get_constraintdef(oid) as definition
  from pg_constraint
  where contype = 'f' and connamespace = current_schema()::regnamespace;
do $$
declare found record;
begin
  for found in select * from foreign_keys loop
    execute format('alter table %s drop constraint %I', found.relation, found.name);
  end loop;
end $$;

-- Distributed before `users` and `schools` become reference tables; all at the node of their school.
select create_distributed_table('entries', 'school_id');
select create_distributed_table(name, 'school_id', colocate_with => 'entries')
  from unnest(array['reviews', 'review_counts', 'relation_counts', 'helpful_marks', 'moderation_items', 'held_hides',
    'reports', 'appeals']) as name;

-- On every node: what rows of any school refer to, and the directory, which is read by the id of an entry.
select create_reference_table('schools');
select create_reference_table('users');
select create_reference_table('entry_schools');

do $$
declare found record;
begin
  for found in select * from foreign_keys loop
    execute format('alter table %s add constraint %I %s', found.relation, found.name, found.definition);
  end loop;
  for found in select * from positions where last is not null loop
    perform setval(found.sequence::regclass, found.last);
  end loop;
end $$;
commit;
