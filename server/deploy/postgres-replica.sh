#!/bin/sh
# Of compose's database, once, when its files are made: the standby gets a role that may copy everything and do nothing,
# and from the next start on, which follows, a commit is done when both have it.
set -eu
psql --no-psqlrc --set=ON_ERROR_STOP=1 --set=password="$POSTGRES_PASSWORD" --username=postgres <<'SQL'
CREATE ROLE replica LOGIN REPLICATION PASSWORD :'password';
ALTER SYSTEM SET wal_keep_size = '512MB';
ALTER SYSTEM SET synchronous_standby_names = '*';
SQL
echo 'host replication replica all scram-sha-256' >> "$PGDATA/pg_hba.conf"
