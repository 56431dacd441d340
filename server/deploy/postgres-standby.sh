#!/bin/sh
# Of compose's standby: where there are no files yet, a copy of the primary's, which then follows it; once promoted, a
# primary like any other.
set -eu
mkdir -p "$PGDATA"
chown -R postgres:postgres "$PGDATA"
chmod 0700 "$PGDATA"
until [ -s "$PGDATA/PG_VERSION" ]; do
  gosu postgres pg_basebackup --host=database --username=replica --pgdata="$PGDATA" --write-recovery-conf \
    --wal-method=stream --checkpoint=fast || sleep 2
done
exec docker-entrypoint.sh postgres -c synchronous_standby_names=
