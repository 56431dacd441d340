import { describe, expect, it } from 'vitest';
import { childrenOf, readXml } from '../../../../server/formats/cfdi/xml.ts';
import { DomainError } from '../../../../shared/errors.ts';
import { bytesOf } from '../../../support/cfdi.ts';

const read = (xml: string, encoding?: BufferEncoding) => readXml(bytesOf(xml, encoding));

function refusalOf(bytes: Uint8Array): { code: string; message: string } {
  try {
    readXml(bytes);
  } catch (error) {
    if (error instanceof DomainError) return { code: error.code, message: error.message };
    throw error;
  }
  throw new Error('was read');
}

describe('an element', () => {
  it('is known by its namespace, whatever the prefix', () => {
    for (const xml of ['<a:x xmlns:a="urn:u"/>', '<x xmlns="urn:u"/>', "<ns0:x xmlns:ns0='urn:u'></ns0:x>"]) {
      expect(read(xml)).toMatchObject({ uri: 'urn:u', localName: 'x', children: [] });
    }
  });

  it('keeps its own attributes, not those of other namespaces or the declarations', () => {
    const root = read('<x xmlns:a="urn:u" a:b="1" c="2" xsi:d="3" xmlns:xsi="urn:x"/>');
    expect([...root.attributes]).toEqual([['c', '2']]);
  });

  it('has its entities and character references resolved exactly once', () => {
    expect(read('<x a="L&amp;O &amp;amp; &lt;b&gt; &quot;&apos; &#xD1;&#10;"/>').attributes.get('a')).toBe(
      'L&O &amp; <b> "\' Ñ\n',
    );
  });

  it('has only direct children, and ignores text, comments, CDATA and instructions', () => {
    const root = read(
      '<?xml version="1.0"?><!-- <y/> --><?style a?><x>t<y n="1"><y n="2"/></y><![CDATA[<y/>]]><!-- <y/> --></x>',
    );
    expect(childrenOf(root, '', 'y').map((child) => child.attributes.get('n'))).toEqual(['1']);
    expect(root.children).toHaveLength(1);
  });

  it('accepts attributes that are named like an object’s own members', () => {
    const root = read('<x __proto__="1" constructor="2" toString="3"/>');
    expect([...root.attributes.values()]).toEqual(['1', '2', '3']);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});

describe('the bytes of a file', () => {
  const named = (encoding: string) => `<?xml version="1.0" encoding="${encoding}"?><x n="Ñandú España €"/>`;
  const nameIn = (bytes: Uint8Array) => readXml(bytes).attributes.get('n');
  const utf16be = (text: string) => Buffer.from(text, 'utf16le').swap16();

  it('are read in their actual encoding', () => {
    const plain = 'Ñandú España €';
    expect(nameIn(bytesOf(named('UTF-8')))).toBe(plain);
    expect(nameIn(bytesOf(`\ufeff${named('UTF-8')}`))).toBe(plain);
    expect(nameIn(bytesOf(`\ufeff${named('ISO-8859-1')}`))).toBe(plain);
    expect(nameIn(bytesOf('<x n="Ñandú España €"/>'))).toBe(plain);
    expect(nameIn(bytesOf(`\ufeff${named('UTF-16')}`, 'utf16le'))).toBe(plain);
    expect(nameIn(bytesOf(named('UTF-16'), 'utf16le'))).toBe(plain);
    expect(nameIn(utf16be(`\ufeff${named('UTF-16')}`))).toBe(plain);
    expect(nameIn(utf16be(named('UTF-16BE')))).toBe(plain);
  });

  it('are read as declared, ISO-8859-1 or Windows-1252', () => {
    const latin = (encoding: string) => bytesOf(named(encoding).replace('€', '\u0080'), 'latin1');
    for (const encoding of ['ISO-8859-1', 'iso-8859-1', 'windows-1252', 'CP1252', 'latin1']) {
      expect(nameIn(latin(encoding))).toBe('Ñandú España €');
    }
  });

  it('are UTF-8 if they are single bytes declared UTF-16, as some programs write', () => {
    expect(nameIn(bytesOf(named('utf-16')))).toBe('Ñandú España €');
  });

  it('are refused if they do not match their declaration', () => {
    expect(refusalOf(bytesOf(named('UTF-8').replace('€', ''), 'latin1')).code).toBe('bad_encoding');
    expect(refusalOf(bytesOf('<x n="\u00d1"/>', 'latin1')).message).toMatch(/no son UTF-8/);
    expect(refusalOf(bytesOf(named('UTF-7'))).message).toMatch(/«UTF-7»/);
    expect(refusalOf(Buffer.concat([bytesOf(named('UTF-16'), 'utf16le'), Buffer.from('<')])).code).toBe(
      'bad_encoding',
    );
  });

  it('may have CRLF and a BOM', () => {
    expect(read('\ufeff<?xml version="1.0"?>\r\n<x\r\n a="1"\r\n/>\r\n').attributes.get('a')).toBe('1');
  });
});

describe('an Addenda', () => {
  const invoice = (addenda: string) =>
    `<c:Comprobante xmlns:c="urn:c"><c:Emisor Rfc="X"/>${addenda}</c:Comprobante>`;

  it.each([
    '<c:Addenda><x:Pedido n="1"/></c:Addenda>',
    '<c:Addenda><x:Pedido><x:Linea/></x:Pedido></c:Addenda>',
    '<c:Addenda><Pedido x:n="1"/></c:Addenda>',
    '<c:Addenda><x:Pedido y:n="1" y:m="2"/></c:Addenda>',
    '<c:Addenda><a:b/><d:e/><a:b/></c:Addenda>',
    '<c:Addenda><Pedido xsi:schemaLocation="urn:x x.xsd"/></c:Addenda>',
    '<c:Addenda xsi:schemaLocation="urn:x x.xsd"/>',
    '<Addenda><if:FacturaInterfactura/></Addenda>',
    '<c:Addenda><p xmlns:x="urn:x"><x:q/></p><x:r/></c:Addenda>',
    '<c:Addenda><x:a><y:b><z:c w:d="1">texto</z:c></y:b></x:a></c:Addenda>',
    '<x:Addenda><x:Pedido/></x:Addenda>',
  ])('with undeclared prefixes does not prevent the invoice from being read: %s', (addenda) => {
    const root = read(invoice(addenda));
    expect(childrenOf(root, 'urn:c', 'Emisor')[0]!.attributes.get('Rfc')).toBe('X');
  });

  it.each([
    ['<x:Pedido/>', /prefijo/],
    ['<c:Addenda/><x:Pedido/>', /prefijo/],
    ['<c:Otro><x:Addenda/></c:Otro>', /prefijo/],
    ['<c:Complemento><Addenda x:n="1"/></c:Complemento>', /prefijo/],
    ['<c:Emisor x:n="1"/>', /prefijo/],
    ['<c:Addenda><x:Pedido></c:Addenda>', /incompleto|cierra/],
    ['<c:Addenda><p a="1" a="2"/></c:Addenda>', /repite/],
    ['<c:Addenda>&nada;</c:Addenda>', /entidad/],
  ])('is forgiven nothing else, and no other element is: %s', (inside, message) => {
    expect(refusalOf(bytesOf(invoice(inside))).message).toMatch(message);
  });
});

describe('a file that is no XML is named:', () => {
  it.each([
    ['', 'empty_file', /vacío/],
    [' \r\n\t ', 'empty_file', /vacío/],
    ['\ufeff', 'empty_file', /vacío/],
    ['%PDF-1.4\n%âãÏÓ', 'not_xml', /PDF/],
    ['<!DOCTYPE html><html></html>', 'not_xml', /página web/],
    ['\n<HTML><body>', 'not_xml', /página web/],
    ['PK\u0003\u0004....', 'not_xml', /zip/],
    ['{"a": 1}', 'not_xml', /No es un XML/],
    ['Folio;Fecha\n1;2', 'not_xml', /No es un XML/],
  ])('%j', (text, code, message) => {
    const refusal = refusalOf(bytesOf(text));
    expect(refusal.code).toBe(code);
    expect(refusal.message).toMatch(message);
  });
});

describe('malformed XML is refused with the place and the reason:', () => {
  it.each([
    ['<a><b></a>', /cierra un elemento/],
    ['<a><b>', /línea 1, columna \d+\): está incompleto/],
    ['<a b="1"', /está incompleto/],
    ['<a b="1" b="2"/>', /repite un atributo/],
    ['<p:a/>', /prefijo/],
    ['<a b="x<y"/>', /carácter que no se permite/],
    ['<a b="&#xA" c="&amp;"/>', /entidad/],
    ['<a b="&nbsp;"/>', /entidad/],
    ['<a b=1/>', /no cumple/],
    ['<a/><b/>', /fuera del elemento raíz/],
    ['\n<?xml version="1.0"?><a/>', /antes de la declaración/],
    ['<a b="\u0001"/>', /carácter/],
  ])('%j', (xml, message) => {
    const refusal = refusalOf(bytesOf(xml));
    expect(refusal.code).toBe('malformed_xml');
    expect(refusal.message).toMatch(message);
  });
});

describe('hostile XML', () => {
  const bomb = `<!DOCTYPE a [<!ENTITY b "${'x'.repeat(1000)}"><!ENTITY c "&b;&b;&b;">]>`;

  it('is refused at once with a DOCTYPE, whatever it holds, in any encoding, also after the start', () => {
    const cases = [
      bytesOf(`<?xml version="1.0"?>${bomb}<a>&c;</a>`),
      bytesOf('<!DOCTYPE a SYSTEM "file:///etc/hostname"><a/>'),
      bytesOf('<!DOCTYPE a [<!ENTITY x SYSTEM "http://localhost/">]><a b="&x;"/>'),
      bytesOf('<!DOCTYPE a><a/>'),
      bytesOf('\ufeff<!DOCTYPE a [<!ENTITY x "y">]><a/>', 'utf16le'),
      bytesOf('<a><!DOCTYPE a></a>'),
    ];
    for (const bytes of cases) expect(refusalOf(bytes).code).toBe('doctype');
  });
});
