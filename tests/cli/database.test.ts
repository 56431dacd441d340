import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { verifyAudit } from '../support/audit.ts';
import { runSaldo } from '../support/cli.ts';
import { describeOneDatabase } from '../support/proofs.ts';
import { addUser } from '../support/rows.ts';

describeOneDatabase('saldo db check', (fresh) => {
  it('says of each rule that it holds, and ends with 0', async () => {
    await fresh.fillDemo();
    await addUser(fresh.db, { roles: [3] });
    const { out, code } = await runSaldo(fresh, ['db', 'check']);
    expect(code).toBe(0);
    expect(out).toContain('✓ Lo pagado de cada factura es la suma de sus pagos\n');
    const { entries } = await verifyAudit(fresh.db);
    expect(out).toMatch(
      new RegExp(`Bitácora: ${entries} asientos; el último, [0-9a-f]{64}\\nTodo está en orden\\.\\n$`),
    );
    expect(out).not.toContain('✗');
    const json = await runSaldo(fresh, ['db', 'check', '--json']);
    expect(json.code).toBe(0);
    expect(JSON.parse(json.out)).toMatchObject({ ok: true, audit: { entries } });
  });

  it('names the row that breaks a rule, and ends with 1', async () => {
    await fresh.fillDemo();
    await addUser(fresh.db, { roles: [3] });
    await sql`update payments set "amountCents" = "amountCents" + 1 where id = 7`.execute(fresh.db);
    const { id } = await fresh.db
      .selectFrom('payments')
      .select('facturaproveedorId as id')
      .where('id', '=', 7)
      .executeTakeFirstOrThrow();
    const { out, code } = await runSaldo(fresh, ['db', 'check']);
    expect(code).toBe(1);
    expect(out).toMatch(
      new RegExp(
        `✗ Lo pagado .*\\n {4}invoices ${id}: lo pagado \\(.*\\) no es la suma de sus pagos \\(.*\\)\\n✓`,
      ),
    );
    expect(out).toContain('Se encontró un problema.\n');
    const json = await runSaldo(fresh, ['db', 'check', '--json']);
    expect(json.code).toBe(1);
    const { ok, checks } = JSON.parse(json.out);
    expect(ok).toBe(false);
    expect(checks.find((check: { name: string }) => check.name === 'paid-sum').problems).toEqual([
      { entity: 'invoices', id, problem: expect.stringContaining('lo pagado') },
    ]);
  });
});
