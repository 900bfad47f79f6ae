<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>Layers</name>
    <message>
        <source>Input</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stage {number}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write-back</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Output</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Qwen, copied unchanged</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>start of a token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>reading the token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>which block runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>loading the program</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>registers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>operands</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>arithmetic</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>program</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>bounds checks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>what is written out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>program counter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the next slot</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>scheduler</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the next token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the next token&apos;s code</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>output</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Qwen&apos;s own, copied unchanged</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stage {number}, {part}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>LayersPicture</name>
    <message>
        <source>{count} of {total} layers are written.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Layer {number} · {purpose}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{mixer} weights in the mixer, {mlp} in the MLP</source>
        <translation type="unfinished"></translation>
    </message>
</context>
</TS>
