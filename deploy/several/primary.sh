#!/bin/bash
# Runs once, when the primary's data folder is made: the roles with no more rights than they need, and the database.
# Elsewhere than in the image: as the user postgres, with the two passwords in the environment.
set -euo pipefail

psql --username=postgres --set=ON_ERROR_STOP=1 \
  --set=app="$DATABASE_PASSWORD" --set=replication="$REPLICATION_PASSWORD" <<'SQL'
create role school_reviews login password :'app';
-- Through pgbouncer the product cannot ask for it itself.
alter role school_reviews set statement_timeout = '10s';
create database school_reviews owner school_reviews;
revoke connect on database school_reviews from public;
create role replication login replication password :'replication';
SQL

# Narrow both to the addresses of your machines: "all" is any.
cat >> "$(psql --username=postgres --tuples-only --no-align --command='show hba_file')" <<'HBA'
host school_reviews school_reviews all scram-sha-256
host replication replication all scram-sha-256
HBA
psql --username=postgres --command='select pg_reload_conf()'
