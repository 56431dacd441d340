import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Field } from '../../../shared/ui/Field.tsx';

test('a label names its control', () => {
  const html = renderToStaticMarkup(<Field label="Proveedor" name="suppliername" value="Aceros Tepeyac" />);
  expect(html).toContain('<label class="label" for="suppliername">Proveedor</label>');
  expect(html).toMatch(
    /<input[^>]* name="suppliername"[^>]* id="suppliername"|<input[^>]* id="suppliername"/,
  );
  expect(html).toContain('value="Aceros Tepeyac"');
});

test('an error is tied to its control and says so', () => {
  const message = 'Subtotal: a lo más dos decimales.';
  const html = renderToStaticMarkup(<Field label="Subtotal" name="subtotal" kind="money" error={message} />);
  expect(html).toMatch(/<input[^>]*aria-describedby="subtotal-note"[^>]*aria-invalid="true"/);
  expect(html).toMatch(new RegExp(`<div id="subtotal-note" class="field-error">.*${message}</div>`));
});

test('a field without error or hint is described by nothing', () => {
  const html = renderToStaticMarkup(<Field label="Correo" name="email" kind="email" />);
  expect(html).not.toContain('aria-describedby');
  expect(html).not.toContain('aria-invalid');
});

test('a required field is announced, and left to our own messages', () => {
  const html = renderToStaticMarkup(<Field label="Nombre" name="clientname" required />);
  expect(html).toContain('aria-required="true"');
  expect(html).not.toMatch(/\srequired=/);
});

test('typed money may carry signs that a number input refuses', () => {
  const html = renderToStaticMarkup(
    <Field label="Pago" name="paymentamount" kind="money" value="1,160.50" />,
  );
  expect(html).toMatch(/<input[^>]*type="text"[^>]*inputMode="decimal"/i);
  expect(html).toContain('value="1,160.50"');
});

test('a select starts at its value', () => {
  const options = [
    { value: '', label: 'Todos' },
    { value: 7, label: 'Obra 7' },
  ];
  const html = renderToStaticMarkup(
    <Field label="Obra" name="jobId" kind="select" value={7} options={options} />,
  );
  expect(html).toContain('<option value="7" selected="">Obra 7</option>');
});

test('an area keeps what was typed', () => {
  const html = renderToStaticMarkup(
    <Field label="Observaciones" name="comments" kind="textarea" value={'<b> & "c"'} />,
  );
  expect(html).toContain('&lt;b&gt; &amp; &quot;c&quot;</textarea>');
});
