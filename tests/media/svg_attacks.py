# ruff: noqa: E501
"""SVGs that try more than to be a picture, each with what becomes of it. HOST is a listener's address."""

RECT = "<rect width='90' height='90' fill='red'/>"
HTML = "xmlns='http://www.w3.org/1999/xhtml'"
STAR = "<use href='#a' x='1'/>"

INSIDE = {
    # What CSS fetches.
    "image-set": ("<style>rect { fill: image-set('HOST' 1x) }</style>" + RECT, "external_reference"),
    "image-set-webkit": (
        "<style>svg { background: -webkit-image-set(url(HOST) 1x) }</style>" + RECT,
        "external_reference",
    ),
    "image-set-attribute": (
        "<rect width='9' height='9' style='mask-image: image-set(\"HOST\" 1x)'/>",
        "external_reference",
    ),
    "image-set-commented": ("<style>rect { mask: image-set/**/('HOST' 1x) }</style>" + RECT, "ok"),
    "cross-fade": (
        "<style>rect { mask-image: cross-fade('HOST', 'HOST', 50%) }</style>" + RECT,
        "external_reference",
    ),
    "css-src": ("<style>rect { fill: src('HOST') }</style>" + RECT, "external_reference"),
    "url-of-nothing-but-spaces": (
        "<style>rect { fill: url(   HOST   ) }</style>" + RECT,
        "external_reference",
    ),
    "url-with-two-quotes": ('<style>rect { fill: url(""HOST) }</style>' + RECT, "external_reference"),
    "url-in-a-comment": ("<style>rect { fill: url(/*#a*/HOST) }</style>" + RECT, "external_reference"),
    "url-cut-by-a-comment": ("<style>rect { fill: u/**/rl(HOST) }</style>" + RECT, "ok"),
    "url-upper-case": ("<rect width='9' height='9' fill='URL(HOST)'/>", "external_reference"),
    "url-entities": ("<rect width='9' height='9' fill='&#117;&#x72;l(HOST)'/>", "external_reference"),
    "url-cdata": ("<style>rect { fill: u<![CDATA[rl(]]>HOST) }</style>" + RECT, "external_reference"),
    "import-text": ("<style>@import 'HOST';</style>" + RECT, "external_reference"),
    "import-layer": ("<style>@import/**/url(HOST) layer(a);</style>" + RECT, "external_reference"),
    "import-escaped": ("<style>@\\69mport 'HOST';</style>" + RECT, "external_reference"),
    "namespace-rule": ("<style>@namespace 'HOST'; rect { fill: red }</style>" + RECT, "ok"),
    "font-local": (
        "<style>@font-face { font-family: x; src: local(x) } rect { fill: red }</style>" + RECT,
        "ok",
    ),
    "style-nested": ("<style>rect<style>@import 'HOST';</style></style>" + RECT, "external_reference"),
    "style-many-rules": ("<style>" + "rect{fill:red}" * 5_000 + "</style>" + RECT, "ok"),
    "css-variables": ("<style>rect { fill: var(--x, url(#a)) }</style>" + RECT, "unsupported_style"),
    # What attributes fetch.
    "srcset": (f"<img {HTML} srcset='HOST 1x'/>" + RECT, "forbidden_element"),
    "source-srcset": (f"<picture {HTML}><source srcset='HOST'/></picture>" + RECT, "forbidden_element"),
    "imagesrcset": (
        f"<link {HTML} rel='preload' as='image' imagesrcset='HOST 1x'/>" + RECT,
        "forbidden_element",
    ),
    "imagesrcset-of-a-shape": ("<rect width='90' height='90' imagesrcset='HOST'/>", "external_reference"),
    "meta-refresh": (f"<meta {HTML} http-equiv='refresh' content='0;url=HOST'/>" + RECT, "forbidden_element"),
    "html-paragraph": (f"<p {HTML} style='color: red'>a</p>" + RECT, "forbidden_element"),
    "html-prefixed": (
        f"<g {HTML.replace('xmlns', 'xmlns:h')}><h:video poster='HOST'/></g>" + RECT,
        "forbidden_element",
    ),
    "html-without-its-namespace": ("<video poster='HOST'/>" + RECT, "forbidden_element"),
    "base": ("<g xml:base='HOST'><use href='#a'/></g>" + RECT, "external_reference"),
    "ping": ("<rect width='90' height='90' ping='HOST'/>", "external_reference"),
    "href-gradient": ("<linearGradient id='g' href='HOST#g'/>" + RECT, "external_reference"),
    "href-filter": ("<filter id='f' xlink:href='HOST#f'/>" + RECT, "external_reference"),
    "href-text-path": ("<text><textPath href='HOST#p'>a</textPath></text>" + RECT, "text_label"),
    "href-pattern-data": (
        "<pattern id='p' href='data:image/svg+xml,%3Csvg/%3E#p'/>" + RECT,
        "embedded_raster",
    ),
    "href-nested-svg": (
        "<use href='data:image/svg+xml;base64,PHN2ZyBpZD0iYSIvPg==#a'/>" + RECT,
        "embedded_raster",
    ),
    "href-javascript": ("<use href=' java&#9;script:alert(1)'/>" + RECT, "external_reference"),
    "marker-outside": ("<path marker-start='url(HOST#m)' d='M0 0h90v90'/>", "external_reference"),
    "mask-outside": ("<rect mask='url(\"HOST#m\")' width='9' height='9'/>", "external_reference"),
    "clip-outside": ("<g clip-path='url( HOST#m)'>" + RECT + "</g>", "external_reference"),
    "colour-profile": ("<color-profile name='x' xlink:href='HOST'/>" + RECT, "external_reference"),
    "unknown-element": ("<flower petals='5' file='HOST'/>" + RECT, "ok"),
    "editors-notes": ("<metadata><RDF xmlns='urn:rdf' resource='HOST'/></metadata>" + RECT, "ok"),
    "attribute-twice": ("<rect width='9' width='90' height='9'/>", "syntax_error"),
    "attributes-by-the-thousand": (
        "<rect " + " ".join(f"a{i}='1'" for i in range(20_000)) + " width='90' height='90'/>",
        "too_large",
    ),
    "namespaces-by-the-thousand": (
        "<g " + " ".join(f"xmlns:n{i}='urn:{i}'" for i in range(20_000)) + f">{RECT}</g>",
        "too_large",
    ),
    # What runs.
    "handler-upper-case": ("<rect width='9' height='9' ONLOAD='alert(1)'/>", "forbidden_element"),
    "handler-prefixed": (
        "<rect xmlns:a='urn:a' a:onload='alert(1)' width='9' height='9'/>",
        "forbidden_element",
    ),
    "script-prefixed": (
        "<s:script xmlns:s='http://www.w3.org/2000/svg' href='HOST'/>" + RECT,
        "forbidden_element",
    ),
    "script-elsewhere": ("<script xmlns='urn:a'>alert(1)</script>" + RECT, "forbidden_element"),
    "animate-transform": (
        "<rect width='9' height='9'><animateTransform attributeName='transform' begin='HOST'/></rect>",
        "forbidden_element",
    ),
    "animate-motion": (
        "<rect width='9' height='9'><animateMotion><mpath href='HOST#p'/></animateMotion></rect>",
        "forbidden_element",
    ),
    "discard": (RECT + "<discard begin='0s'/>", "forbidden_element"),
    "template": ("<template><rect/></template>" + RECT, "forbidden_element"),
    "instruction": (RECT + "<?xml-stylesheet type='text/css' href='HOST'?>", "ok"),
    "instruction-php": ("<?php system('id') ?>" + RECT, "ok"),
    "comment-in-a-comment": ("<!-- <script> --" + "> <script>alert(1)</script>" + RECT, "forbidden_element"),
    # What never ends.
    "deep-groups": ("<g>" * 240 + RECT + "</g>" * 240, "ok"),
    "deep-svgs": ("<svg>" * 300 + RECT, "syntax_error"),
    "million-commands": ("<path d='M0 0" + "h1v1" * 200_000 + "'/>", "ok"),
    "million-points": ("<polygon points='0 0 " + "9 9 " * 200_000 + "90 0'/>", "ok"),
    "huge-numbers": ("<path d='M0 0L" + "9" * 100_000 + " 9z'/>" + RECT, "ok"),
    "huge-exponent": ("<rect x='1e-99999999' width='9e99999999' height='9'/>" + RECT, "ok"),
    "spaces-in-an-arc": ("<path d='M0 0L999 0A" + " " * 5_000 + "x'/>" + RECT, "ok"),
    "spaces-in-a-url": (
        "<rect width='90' height='90' fill='url(" + " " * 50_000 + "'/>",
        "external_reference",
    ),
    "slashes-in-a-colour": ("<rect width='90' height='90' fill='rgb(" + "/" * 50_000 + "'/>", "ok"),
    "mask-of-each-other": (
        "<mask id='a'><g mask='url(#b)'/></mask><mask id='b'><g mask='url(#a)'/></mask><rect width='90' height='90' mask='url(#a)'/>",
        "blank_canvas",
    ),
    "filter-on-filter": (
        "<filter id='f'><feGaussianBlur stdDeviation='1'/></filter>"
        + "<g filter='url(#f)'>" * 40
        + RECT
        + "</g>" * 40,
        "ok",
    ),
    "marker-on-marker": (
        "<marker id='k'><path marker-end='url(#k)' d='M0 0h9'/></marker><path marker-end='url(#k)' d='M0 0h90v90'/>",
        "ok",
    ),
    "too-long": ("<!--" + "a" * 1_000_000 + "-->" + RECT, "too_large"),
}
"""What stands inside <svg viewBox="0 0 100 100">, and the code of the failure, or "ok"."""

WHOLE = {
    "declared-utf-7": (
        "<?xml version='1.0' encoding='UTF-7'?><svg viewBox='0 0 100 100'>+ADw-script+AD4-alert(1)+ADw-/script+AD4-"
        + RECT
        + "</svg>",
        "ok",
    ),
    "declared-utf-16": (
        "<?xml version='1.0' encoding='UTF-16'?><svg viewBox='0 0 100 100'>" + RECT + "</svg>",
        "ok",
    ),
    "declared-ebcdic": (
        "<?xml version='1.0' encoding='IBM037'?><svg viewBox='0 0 100 100'>" + RECT + "</svg>",
        "ok",
    ),
    "xml-1.1": ("<?xml version='1.1'?><svg viewBox='0 0 100 100'>&#1;" + RECT + "</svg>", "syntax_error"),
    "byte-order-mark": ("\ufeff<svg viewBox='0 0 100 100'>" + RECT + "</svg>", "ok"),
    "null": ("<svg viewBox='0 0 100 100'>\0" + RECT + "</svg>", "syntax_error"),
    "stylesheet-before": (
        "<?xml-stylesheet href='HOST'?><svg viewBox='0 0 100 100'>" + RECT + "</svg>",
        "ok",
    ),
    "doctype-outside": (
        "<!DOCTYPE svg PUBLIC '-//W3C//DTD SVG 1.1//EN' 'HOST'><svg viewBox='0 0 100 100'>" + RECT + "</svg>",
        "ok",
    ),
    "entity-parameter": (
        "<!DOCTYPE svg [<!ENTITY % x SYSTEM 'HOST'> %x;]><svg viewBox='0 0 100 100'>" + RECT + "</svg>",
        "forbidden_element",
    ),
    "entity-laughs": (
        "<!DOCTYPE svg ["
        + "".join(f"<!ENTITY a{i} '{f'&a{i - 1};' * 10}'>" for i in range(1, 9))
        + "]><svg viewBox='0 0 100 100'>&a8;"
        + RECT
        + "</svg>",
        "forbidden_element",
    ),
    "attribute-default": (
        f"<!DOCTYPE svg [<!ATTLIST rect onload CDATA 'alert(1)'>]><svg viewBox='0 0 100 100'>{RECT}</svg>",
        "ok",
    ),
    "notation": (
        f"<!DOCTYPE svg [<!NOTATION a SYSTEM 'HOST'>]><svg viewBox='0 0 100 100'>{RECT}</svg>",
        "ok",
    ),
    "two-roots": (
        f"<svg viewBox='0 0 100 100'>{RECT}</svg><svg viewBox='0 0 100 100'><script/></svg>",
        "syntax_error",
    ),
    "xinclude": (
        f"<svg viewBox='0 0 100 100' xmlns:i='http://www.w3.org/2001/XInclude'><i:include href='file:///etc/passwd'/>{RECT}</svg>",
        "external_reference",
    ),
    "xslt": (
        f"<svg viewBox='0 0 100 100' xmlns:x='http://www.w3.org/1999/XSL/Transform'><x:value-of select='document(\"HOST\")'/>{RECT}</svg>",
        "ok",
    ),
}
"""Whole sources, as a file has them."""
