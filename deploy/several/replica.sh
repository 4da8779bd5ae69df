#!/bin/bash
# Runs a streaming replica; the first time it copies the primary. A replica that was promoted stays what it is. Whoever
# was the primary before gets an empty data folder, and runs this with PRIMARY_HOST set to the one that is it now.
set -euo pipefail

if [ ! -s "$PGDATA/PG_VERSION" ]; then
  # Beside it, so that a copy that was broken off is never taken for a whole one.
  rm -rf "$PGDATA.copy"
  PGPASSWORD=$REPLICATION_PASSWORD pg_basebackup --host="${PRIMARY_HOST:-primary}" --username=replication --pgdata="$PGDATA.copy" \
    --checkpoint=fast --wal-method=stream --write-recovery-conf
  mv --no-target-directory "$PGDATA.copy" "$PGDATA"
fi
# Looks for a restarted primary again at once: until a synchronous replica has found it, every post waits.
exec postgres -c wal_retrieve_retry_interval=500ms
