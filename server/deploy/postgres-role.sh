#!/bin/sh
# Of compose's database, once, when its files are made: the application gets a role that owns its own database and can do
# nothing else; the image's superuser has no password then, and is let in from inside the container alone.
set -eu
psql --no-psqlrc --set=ON_ERROR_STOP=1 --set=password="$POSTGRES_PASSWORD" --username=postgres <<'SQL'
CREATE ROLE saldo LOGIN PASSWORD :'password';
CREATE DATABASE saldo OWNER saldo;
ALTER ROLE postgres PASSWORD NULL;
SQL
