const bytes = (text: string) => Buffer.from(text, 'latin1');

export const aPdf = (mark = '') => bytes(`%PDF-1.4\n%${mark}\ntrailer<</Root 1 0 R>>\n%%EOF`);
export const aPng = (mark = '') => bytes(`\x89PNG\r\n\x1a\n\0\0\0\rIHDR${mark}`);
export const aJpeg = (mark = '') => bytes(`\xff\xd8\xff\xe0\0\x10JFIF${mark}`);
export const aWebp = (mark = '') => bytes(`RIFF\x20\0\0\0WEBPVP8 ${mark}`);

export const REFUSED: Readonly<Record<string, Buffer>> = {
  HTML: bytes('<!DOCTYPE html><script>alert(1)</script>'),
  'HTML as XML': bytes('<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><script/></html>'),
  SVG: bytes('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'),
  'SVG after a comment': bytes('<?xml version="1.0"?><!-- <Comprobante> --><svg onload="alert(1)"/>'),
  'SVG in UTF-16': Buffer.from('\ufeff<svg onload="alert(1)"/>', 'utf16le'),
  'a CFDI with a DOCTYPE': bytes('<!DOCTYPE x><cfdi:Comprobante/>'),
  'a script': bytes('#!/bin/sh\nrm -rf ~'),
  'a zip': bytes('PK\x03\x04'),
  'a GIF with a PDF inside': bytes('GIF89a%PDF-1.4'),
  text: bytes('hola'),
  nothing: bytes(''),
};
