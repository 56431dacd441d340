const latin1Bytes = (text: string) => Buffer.from(text, 'latin1');

export const buildPdf = (content = '') => latin1Bytes(`%PDF-1.4\n%${content}\ntrailer<</Root 1 0 R>>\n%%EOF`);
export const buildPng = (content = '') => latin1Bytes(`\x89PNG\r\n\x1a\n\0\0\0\rIHDR${content}`);
export const buildJpeg = (content = '') => latin1Bytes(`\xff\xd8\xff\xe0\0\x10JFIF${content}`);
export const buildWebp = (content = '') => latin1Bytes(`RIFF\x20\0\0\0WEBPVP8 ${content}`);

export const REFUSED_FILES: Readonly<Record<string, Buffer>> = {
  HTML: latin1Bytes('<!DOCTYPE html><script>alert(1)</script>'),
  'HTML as XML': latin1Bytes(
    '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><script/></html>',
  ),
  SVG: latin1Bytes('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'),
  'SVG after a comment': latin1Bytes('<?xml version="1.0"?><!-- <Comprobante> --><svg onload="alert(1)"/>'),
  'SVG in UTF-16': Buffer.from('\ufeff<svg onload="alert(1)"/>', 'utf16le'),
  'a CFDI with a DOCTYPE': latin1Bytes('<!DOCTYPE x><cfdi:Comprobante/>'),
  'a script': latin1Bytes('#!/bin/sh\nrm -rf ~'),
  'a zip': latin1Bytes('PK\x03\x04'),
  'a GIF with a PDF inside': latin1Bytes('GIF89a%PDF-1.4'),
  text: latin1Bytes('hola'),
  nothing: latin1Bytes(''),
};
