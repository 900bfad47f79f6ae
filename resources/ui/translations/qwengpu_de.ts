<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de_DE">
<context>
    <name>AboutDialog</name>
    <message>
        <source>About qwenGPU</source>
        <translation>Über qwenGPU</translation>
    </message>
    <message>
        <source>Version {version}</source>
        <translation>Version {version}</translation>
    </message>
    <message>
        <source>A chat whose language model computes: a GPU is compiled into its weights, and CUDA kernels run in its own forward passes. Nothing leaves this computer.</source>
        <translation>Ein Chat, dessen Sprachmodell rechnet: Eine GPU ist in seine Gewichte übersetzt, und CUDA-Kernel laufen in seinen eigenen Vorwärtsläufen. Nichts verlässt diesen Computer.</translation>
    </message>
    <message>
        <source>Diagnostics</source>
        <translation>Diagnose</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Licence of {name}: {licence}</source>
        <translation>Lizenz von {name}: {licence}</translation>
    </message>
</context>
<context>
    <name>Actions</name>
    <message>
        <source>New chat</source>
        <translation>Neuer Chat</translation>
    </message>
    <message>
        <source>Search chats and commands</source>
        <translation>Chats und Befehle suchen</translation>
    </message>
    <message>
        <source>Import chats...</source>
        <translation>Chats importieren ...</translation>
    </message>
    <message>
        <source>Export this chat...</source>
        <translation>Diesen Chat exportieren ...</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>Beenden</translation>
    </message>
    <message>
        <source>Find in this chat</source>
        <translation>In diesem Chat suchen</translation>
    </message>
    <message>
        <source>Restore the deleted chat</source>
        <translation>Gelöschten Chat wiederherstellen</translation>
    </message>
    <message>
        <source>Rename this chat</source>
        <translation>Diesen Chat umbenennen</translation>
    </message>
    <message>
        <source>Delete this chat</source>
        <translation>Diesen Chat löschen</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <source>Answer again</source>
        <translation>Erneut antworten</translation>
    </message>
    <message>
        <source>Edit the last question</source>
        <translation>Letzte Frage bearbeiten</translation>
    </message>
    <message>
        <source>Advanced on or off</source>
        <translation>Erweitert ein oder aus</translation>
    </message>
    <message>
        <source>Thinking on or off</source>
        <translation>Denken ein oder aus</translation>
    </message>
    <message>
        <source>Restart the model</source>
        <translation>Modell neu starten</translation>
    </message>
    <message>
        <source>Sidebar</source>
        <translation>Seitenleiste</translation>
    </message>
    <message>
        <source>Inspector</source>
        <translation>Inspektor</translation>
    </message>
    <message>
        <source>Playground</source>
        <translation>Playground</translation>
    </message>
    <message>
        <source>Larger text</source>
        <translation>Größerer Text</translation>
    </message>
    <message>
        <source>Smaller text</source>
        <translation>Kleinerer Text</translation>
    </message>
    <message>
        <source>Normal text size</source>
        <translation>Normale Textgröße</translation>
    </message>
    <message>
        <source>Full screen</source>
        <translation>Vollbild</translation>
    </message>
    <message>
        <source>Next pane</source>
        <translation>Nächster Bereich</translation>
    </message>
    <message>
        <source>Previous pane</source>
        <translation>Vorheriger Bereich</translation>
    </message>
    <message>
        <source>Set-up</source>
        <translation>Einrichtung</translation>
    </message>
    <message>
        <source>Diagnostics</source>
        <translation>Diagnose</translation>
    </message>
    <message>
        <source>About qwenGPU</source>
        <translation>Über qwenGPU</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>&amp;Datei</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>&amp;Bearbeiten</translation>
    </message>
    <message>
        <source>&amp;Chat</source>
        <translation>&amp;Chat</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>&amp;Ansicht</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>&amp;Hilfe</translation>
    </message>
</context>
<context>
    <name>AmountRow</name>
    <message>
        <source>Clear {size}…</source>
        <translation>{size} löschen …</translation>
    </message>
    <message>
        <source>Empty</source>
        <translation>Leer</translation>
    </message>
    <message>
        <source>Clear {what}, {size}</source>
        <translation>{what} löschen, {size}</translation>
    </message>
</context>
<context>
    <name>ArgumentRow</name>
    <message>
        <source>not compared</source>
        <translation>nicht verglichen</translation>
    </message>
    <message>
        <source>Expected entries of {name}</source>
        <translation>Erwartete Einträge von {name}</translation>
    </message>
    <message>
        <source>expected</source>
        <translation>erwartet</translation>
    </message>
    <message>
        <source>Name of the argument</source>
        <translation>Name des Arguments</translation>
    </message>
    <message>
        <source>Type of {name}</source>
        <translation>Typ von {name}</translation>
    </message>
    <message>
        <source>What {name} begins with</source>
        <translation>Womit {name} beginnt</translation>
    </message>
    <message>
        <source>values</source>
        <translation>Werte</translation>
    </message>
    <message>
        <source>zeros</source>
        <translation>Nullen</translation>
    </message>
    <message>
        <source>Remove {name}</source>
        <translation>{name} entfernen</translation>
    </message>
    <message>
        <source>Size of {name}</source>
        <translation>Größe von {name}</translation>
    </message>
    <message>
        <source>Value of {name}</source>
        <translation>Wert von {name}</translation>
    </message>
    <message>
        <source>{count} values</source>
        <translation>{count} Werte</translation>
    </message>
</context>
<context>
    <name>ArrayRow</name>
    <message>
        <source>Copy {name}</source>
        <translation>{name} kopieren</translation>
    </message>
</context>
<context>
    <name>ArrayTable</name>
    <message>
        <source>Entries of {name}</source>
        <translation>Einträge von {name}</translation>
    </message>
</context>
<context>
    <name>Assistant</name>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>{amount} free</source>
        <translation>{amount} frei</translation>
    </message>
    <message>
        <source>Enough for Qwen3.5-2B with the GPU in its weights.</source>
        <translation>Genug für Qwen3.5-2B mit der GPU in seinen Gewichten.</translation>
    </message>
    <message>
        <source>Using the most now: {programs}.</source>
        <translation>Am meisten belegen gerade: {programs}.</translation>
    </message>
    <message>
        <source>If you continue: the build works, since it never holds more than a part of the model; chats may be slow, and other apps may pause for a moment. The small model needs {size} only.</source>
        <translation>Wenn Sie fortfahren: Das Bauen gelingt, denn es hält nie mehr als einen Teil des Modells; Chats können langsam sein, und andere Programme können kurz stocken. Das kleine Modell braucht nur {size}.</translation>
    </message>
    <message>
        <source>This computer has {total} of memory. {needed} are recommended for Qwen3.5-2B.</source>
        <translation>Dieser Computer hat {total} Speicher. Für Qwen3.5-2B werden {needed} empfohlen.</translation>
    </message>
    <message>
        <source>{free} is free. Qwen3.5-2B is comfortable with {needed}, so this may be slow.</source>
        <translation>{free} sind frei. Qwen3.5-2B läuft gut mit {needed}; es kann also langsam sein.</translation>
    </message>
    <message>
        <source>Disk</source>
        <translation>Festplatte</translation>
    </message>
    <message>
        <source>The folder for models cannot be written: {folder}</source>
        <translation>In den Ordner für Modelle kann nicht geschrieben werden: {folder}</translation>
    </message>
    <message>
        <source>Choose another folder, or change its permissions.</source>
        <translation>Wählen Sie einen anderen Ordner oder ändern Sie seine Rechte.</translation>
    </message>
    <message>
        <source>{needed} are needed for the download and the build.</source>
        <translation>Für Download und Bauen werden {needed} gebraucht.</translation>
    </message>
    <message>
        <source>Free {missing}, or choose a folder on another disk.</source>
        <translation>Geben Sie {missing} frei oder wählen Sie einen Ordner auf einer anderen Festplatte.</translation>
    </message>
    <message>
        <source>Enough room for the build ({build}).</source>
        <translation>Genug Platz zum Bauen ({build}).</translation>
    </message>
    <message>
        <source>Enough room for the download ({download}) and the build ({build}).</source>
        <translation>Genug Platz für den Download ({download}) und das Bauen ({build}).</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>Gerät</translation>
    </message>
    <message>
        <source>Text runs on the Apple GPU.</source>
        <translation>Text läuft auf der Apple-GPU.</translation>
    </message>
    <message>
        <source>Text runs on the NVIDIA GPU.</source>
        <translation>Text läuft auf der NVIDIA-GPU.</translation>
    </message>
    <message>
        <source>Text runs on the processor, which is slower than a GPU. Results are the same.</source>
        <translation>Text läuft auf dem Prozessor, langsamer als auf einer GPU. Die Ergebnisse sind dieselben.</translation>
    </message>
    <message>
        <source>{device} A test launch is running…</source>
        <translation>{device} Ein Teststart läuft …</translation>
    </message>
    <message>
        <source>The test launch failed: {problem}</source>
        <translation>Der Teststart ist fehlgeschlagen: {problem}</translation>
    </message>
    <message>
        <source>{device} A test launch gave the exact result: {tokens} tokens in {milliseconds} ms.</source>
        <translation>{device} Ein Teststart ergab das exakte Ergebnis: {tokens} Tokens in {milliseconds} ms.</translation>
    </message>
    <message>
        <source>Compiler</source>
        <translation>Compiler</translation>
    </message>
    <message>
        <source>CUDA kernels cannot be compiled: {problem}</source>
        <translation>CUDA-Kernel können nicht übersetzt werden: {problem}</translation>
    </message>
    <message>
        <source>A test kernel was compiled in {milliseconds} ms.</source>
        <translation>Ein Testkernel wurde in {milliseconds} ms übersetzt.</translation>
    </message>
    <message>
        <source>Everything that was downloaded is kept; it goes on from there.</source>
        <translation>Alles Heruntergeladene bleibt erhalten; es geht von dort weiter.</translation>
    </message>
    <message>
        <source>Finished layers are kept; the build goes on from there.</source>
        <translation>Fertige Schichten bleiben erhalten; das Bauen geht von dort weiter.</translation>
    </message>
    <message>
        <source>Check again</source>
        <translation>Erneut prüfen</translation>
    </message>
    <message>
        <source>Choose a folder…</source>
        <translation>Ordner wählen …</translation>
    </message>
    <message>
        <source>Looking…</source>
        <translation>Wird geprüft …</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>Weiter</translation>
    </message>
    <message>
        <source>The checks are still running.</source>
        <translation>Die Prüfungen laufen noch.</translation>
    </message>
    <message>
        <source>Something that is needed is missing; see above.</source>
        <translation>Etwas Nötiges fehlt; siehe oben.</translation>
    </message>
    <message>
        <source>Continue anyway</source>
        <translation>Trotzdem weiter</translation>
    </message>
    <message>
        <source>This computer</source>
        <translation>Dieser Computer</translation>
    </message>
    <message>
        <source>qwenGPU runs on your own machine. These four checks take a few seconds and change nothing.</source>
        <translation>qwenGPU läuft auf Ihrem eigenen Computer. Diese vier Prüfungen dauern ein paar Sekunden und ändern nichts.</translation>
    </message>
    <message>
        <source>Nothing leaves this computer. The next step is the only one that needs the internet.</source>
        <translation>Nichts verlässt diesen Computer. Nur der nächste Schritt braucht das Internet.</translation>
    </message>
    <message>
        <source>Copy details</source>
        <translation>Einzelheiten kopieren</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>Beenden</translation>
    </message>
    <message>
        <source>Checked; this folder is used</source>
        <translation>Geprüft; dieser Ordner wird verwendet</translation>
    </message>
    <message>
        <source>Not downloaded yet</source>
        <translation>Noch nicht heruntergeladen</translation>
    </message>
    <message>
        <source>I already have it…</source>
        <translation>Ich habe es schon …</translation>
    </message>
    <message>
        <source>Mirror, proxy and token…</source>
        <translation>Spiegelserver, Proxy und Token …</translation>
    </message>
    <message>
        <source>Licence (Apache 2.0)</source>
        <translation>Lizenz (Apache 2.0)</translation>
    </message>
    <message>
        <source>Get Qwen3.5-2B</source>
        <translation>Qwen3.5-2B holen</translation>
    </message>
    <message>
        <source>The language model that talks to you: {size}, Apache 2.0. It is downloaded once, then works offline.</source>
        <translation>Das Sprachmodell, das mit Ihnen spricht: {size}, Apache 2.0. Es wird einmal heruntergeladen und läuft dann ohne Internet.</translation>
    </message>
    <message>
        <source>next try in {time}</source>
        <translation>nächster Versuch in {time}</translation>
    </message>
    <message>
        <source>asking the hub…</source>
        <translation>der Hub wird gefragt …</translation>
    </message>
    <message>
        <source>nothing comes</source>
        <translation>es kommt nichts</translation>
    </message>
    <message>
        <source>checking what is here…</source>
        <translation>Vorhandenes wird geprüft …</translation>
    </message>
    <message>
        <source>paused</source>
        <translation>pausiert</translation>
    </message>
    <message>
        <source>cancelled</source>
        <translation>abgebrochen</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>angehalten</translation>
    </message>
    <message>
        <source>all files checked</source>
        <translation>alle Dateien geprüft</translation>
    </message>
    <message>
        <source>waiting</source>
        <translation>wartet</translation>
    </message>
    <message>
        <source>{problem}. It goes on by itself; {size} are kept.</source>
        <translation>{problem}. Es geht von selbst weiter; {size} bleiben erhalten.</translation>
    </message>
    <message>
        <source>The server is connected but sends nothing. It is asked again by itself.</source>
        <translation>Der Server ist verbunden, sendet aber nichts. Er wird von selbst erneut gefragt.</translation>
    </message>
    <message>
        <source>The download is cancelled. {size} are kept until you delete them.</source>
        <translation>Der Download ist abgebrochen. {size} bleiben, bis Sie sie löschen.</translation>
    </message>
    <message>
        <source>The language model is complete. From here on nothing needs the internet.</source>
        <translation>Das Sprachmodell ist vollständig. Ab hier braucht nichts das Internet.</translation>
    </message>
    <message>
        <source>Every file is checked against its sha256 before it is used. You can quit: it goes on from here next time.</source>
        <translation>Jede Datei wird gegen ihre sha256-Prüfsumme geprüft, bevor sie verwendet wird. Sie können beenden: Beim nächsten Mal geht es hier weiter.</translation>
    </message>
    <message>
        <source>The folder was not changed.</source>
        <translation>Der Ordner wurde nicht geändert.</translation>
    </message>
    <message>
        <source>{count} small files</source>
        <translation>{count} kleine Dateien</translation>
    </message>
    <message>
        <source>Checked</source>
        <translation>Geprüft</translation>
    </message>
    <message>
        <source>Checking</source>
        <translation>Wird geprüft</translation>
    </message>
    <message>
        <source>Wrong bytes</source>
        <translation>Falsche Bytes</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>Zurück</translation>
    </message>
    <message>
        <source>Cancel download</source>
        <translation>Download abbrechen</translation>
    </message>
    <message>
        <source>Delete what was downloaded</source>
        <translation>Heruntergeladenes löschen</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>Pause</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>Fortsetzen</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Erneut versuchen</translation>
    </message>
    <message>
        <source>Download {size}</source>
        <translation>{size} herunterladen</translation>
    </message>
    <message>
        <source>The language model is needed first.</source>
        <translation>Zuerst wird das Sprachmodell gebraucht.</translation>
    </message>
    <message>
        <source>{layers} of {all} layers</source>
        <translation>{layers} von {all} Schichten</translation>
    </message>
    <message>
        <source>Qwen&apos;s own weights are in it bit for bit; the report names the hash of every file.</source>
        <translation>Qwens eigene Gewichte sind Bit für Bit darin; der Bericht nennt die Prüfsumme jeder Datei.</translation>
    </message>
    <message>
        <source>Finished layers are kept if you stop.</source>
        <translation>Fertige Schichten bleiben, wenn Sie anhalten.</translation>
    </message>
    <message>
        <source>Show log</source>
        <translation>Protokoll zeigen</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Read the build report</source>
        <translation>Baubericht lesen</translation>
    </message>
    <message>
        <source>Build</source>
        <translation>Bauen</translation>
    </message>
    <message>
        <source>Go on building</source>
        <translation>Weiterbauen</translation>
    </message>
    <message>
        <source>The build comes first.</source>
        <translation>Zuerst wird gebaut.</translation>
    </message>
    <message>
        <source>The GPU is written into {compiled} new layers in front of Qwen’s {own}. Qwen’s own weights stay bit for bit the same.</source>
        <translation>Die GPU wird in {compiled} neue Schichten vor Qwens {own} geschrieben. Qwens eigene Gewichte bleiben Bit für Bit gleich.</translation>
    </message>
    <message>
        <source>{time} in this phase</source>
        <translation>{time} in diesem Abschnitt</translation>
    </message>
    <message>
        <source>Compile the GPU</source>
        <translation>GPU übersetzen</translation>
    </message>
    <message>
        <source>Check Qwen</source>
        <translation>Qwen prüfen</translation>
    </message>
    <message>
        <source>Fit together</source>
        <translation>Einpassen</translation>
    </message>
    <message>
        <source>Write layers</source>
        <translation>Schreiben</translation>
    </message>
    <message>
        <source>Read back</source>
        <translation>Zurücklesen</translation>
    </message>
    <message>
        <source>done</source>
        <translation>fertig</translation>
    </message>
    <message>
        <source>The result is right</source>
        <translation>Das Ergebnis stimmt</translation>
    </message>
    <message>
        <source>Every token is worked out again without the model. All must be equal.</source>
        <translation>Jedes Token wird ohne das Modell noch einmal berechnet. Alle müssen gleich sein.</translation>
    </message>
    <message>
        <source>replay exact</source>
        <translation>Nachrechnung exakt</translation>
    </message>
    <message>
        <source>The text model is untouched</source>
        <translation>Das Textmodell ist unberührt</translation>
    </message>
    <message>
        <source>Each of Qwen’s own tensors must have the bytes that it was downloaded with.</source>
        <translation>Jeder von Qwens Tensoren muss die Bytes haben, mit denen er heruntergeladen wurde.</translation>
    </message>
    <message>
        <source>0 differences</source>
        <translation>0 Unterschiede</translation>
    </message>
    <message>
        <source>The files are what was built</source>
        <translation>Die Dateien sind, was gebaut wurde</translation>
    </message>
    <message>
        <source>Every file is checked against the build report.</source>
        <translation>Jede Datei wird gegen den Baubericht geprüft.</translation>
    </message>
    <message>
        <source>Step through it</source>
        <translation>Schritt für Schritt ansehen</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <source>Run the self-test</source>
        <translation>Selbsttest starten</translation>
    </message>
    <message>
        <source>Run it again</source>
        <translation>Noch einmal</translation>
    </message>
    <message>
        <source>Start chatting</source>
        <translation>Chat beginnen</translation>
    </message>
    <message>
        <source>The self-test comes first.</source>
        <translation>Zuerst kommt der Selbsttest.</translation>
    </message>
    <message>
        <source>Self-test</source>
        <translation>Selbsttest</translation>
    </message>
    <message>
        <source>A real launch on this computer, with a result everyone can check: 1×4 + 2×5 + 3×6 = 32.</source>
        <translation>Ein echter Start auf diesem Computer, mit einem Ergebnis, das jeder nachrechnen kann: 1×4 + 2×5 + 3×6 = 32.</translation>
    </message>
    <message>
        <source>The built model is kept. The small built-in model works meanwhile.</source>
        <translation>Das gebaute Modell bleibt. Das kleine eingebaute Modell funktioniert inzwischen.</translation>
    </message>
    <message>
        <source>Something is missing</source>
        <translation>Etwas fehlt</translation>
    </message>
    <message>
        <source>Memory, disk, device, compiler</source>
        <translation>Speicher, Festplatte, Gerät, Compiler</translation>
    </message>
    <message>
        <source>Everything is there</source>
        <translation>Alles ist da</translation>
    </message>
    <message>
        <source>Memory low, continued anyway</source>
        <translation>Wenig Speicher</translation>
    </message>
    <message>
        <source>Memory low</source>
        <translation>Wenig Speicher</translation>
    </message>
    <message>
        <source>{size}, all files checked</source>
        <translation>{size}, alle Dateien geprüft</translation>
    </message>
    <message>
        <source>On this computer</source>
        <translation>Auf diesem Computer</translation>
    </message>
    <message>
        <source>{percent}, {left}</source>
        <translation>{percent}, {left}</translation>
    </message>
    <message>
        <source>Paused at {percent}</source>
        <translation>Pausiert bei {percent}</translation>
    </message>
    <message>
        <source>Stopped at {percent}</source>
        <translation>Angehalten bei {percent}</translation>
    </message>
    <message>
        <source>Cancelled at {percent}</source>
        <translation>Abgebrochen bei {percent}</translation>
    </message>
    <message>
        <source>{size} download</source>
        <translation>{size} Download</translation>
    </message>
    <message>
        <source>Built</source>
        <translation>Gebaut</translation>
    </message>
    <message>
        <source>Built in {time}</source>
        <translation>Gebaut in {time}</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>Angehalten</translation>
    </message>
    <message>
        <source>Paused; finished layers are kept</source>
        <translation>Pausiert; fertige Schichten bleiben</translation>
    </message>
    <message>
        <source>{layers} layers, {size} on disk</source>
        <translation>{layers} Schichten, {size}</translation>
    </message>
    <message>
        <source>Running…</source>
        <translation>Läuft …</translation>
    </message>
    <message>
        <source>One real launch, checked</source>
        <translation>Ein echter Start, geprüft</translation>
    </message>
    <message>
        <source>Passed</source>
        <translation>Bestanden</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>Nicht bestanden</translation>
    </message>
    <message>
        <source>Try the small model</source>
        <translation>Kleines Modell ausprobieren</translation>
    </message>
</context>
<context>
    <name>AssistantPage</name>
    <message>
        <source>Choose the folder of Qwen3.5-2B</source>
        <translation>Ordner von Qwen3.5-2B wählen</translation>
    </message>
</context>
<context>
    <name>AttemptsCard</name>
    <message>
        <source>Attempts</source>
        <translation>Versuche</translation>
    </message>
    <message>
        <source>{tokens} tokens</source>
        <translation>{tokens} Tokens</translation>
    </message>
</context>
<context>
    <name>Blocks</name>
    <message>
        <source>Machine blocks</source>
        <translation>Maschinenblöcke</translation>
    </message>
    <message>
        <source>Block {number}</source>
        <translation>Block {number}</translation>
    </message>
</context>
<context>
    <name>BuildPage</name>
    <message>
        <source>Above the line: the layer’s mixer. Below: its MLP. Height: how many weights are not zero (logarithmic).</source>
        <translation>Über der Linie: der Mixer der Schicht. Darunter: ihr MLP. Höhe: wie viele Gewichte nicht null sind (logarithmisch).</translation>
    </message>
    <message>
        <source>Progress of the build</source>
        <translation>Fortschritt des Bauens</translation>
    </message>
    <message>
        <source>Layer {number}</source>
        <translation>Schicht {number}</translation>
    </message>
    <message>
        <source>{count} layers</source>
        <translation>{count} Schichten</translation>
    </message>
</context>
<context>
    <name>BytesControl</name>
    <message>
        <source>No limit</source>
        <translation>Keine Grenze</translation>
    </message>
</context>
<context>
    <name>ChatList</name>
    <message>
        <source>Chats</source>
        <translation>Chats</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Öffnen</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>Umbenennen</translation>
    </message>
    <message>
        <source>Unpin</source>
        <translation>Lösen</translation>
    </message>
    <message>
        <source>Pin</source>
        <translation>Anheften</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Löschen</translation>
    </message>
</context>
<context>
    <name>ChatModel</name>
    <message>
        <source>New chat</source>
        <translation>Neuer Chat</translation>
    </message>
    <message>
        <source>{title}, {count} computed values</source>
        <translation>{title}, {count} berechnete Werte</translation>
    </message>
</context>
<context>
    <name>ChatPage</name>
    <message>
        <source>Save as Markdown...</source>
        <translation>Als Markdown speichern …</translation>
    </message>
    <message>
        <source>Save with records (JSON)...</source>
        <translation>Mit Protokollen speichern (JSON) …</translation>
    </message>
    <message>
        <source>Copy as Markdown</source>
        <translation>Als Markdown kopieren</translation>
    </message>
    <message>
        <source>Rename...</source>
        <translation>Umbenennen …</translation>
    </message>
    <message>
        <source>Pin or unpin</source>
        <translation>Anheften oder lösen</translation>
    </message>
    <message>
        <source>Find in this chat</source>
        <translation>In diesem Chat suchen</translation>
    </message>
    <message>
        <source>Think before answering</source>
        <translation>Vor dem Antworten nachdenken</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Löschen</translation>
    </message>
    <message>
        <source>New chat</source>
        <translation>Neuer Chat</translation>
    </message>
    <message>
        <source>Where to save the chat as Markdown</source>
        <translation>Wohin der Chat als Markdown gespeichert wird</translation>
    </message>
    <message>
        <source>Save the chat</source>
        <translation>Chat speichern</translation>
    </message>
    <message>
        <source>Saved.</source>
        <translation>Gespeichert.</translation>
    </message>
    <message>
        <source>Launch {place} of {count} in this chat</source>
        <translation>Start {place} von {count} in diesem Chat</translation>
    </message>
    <message>
        <source>Copy receipt</source>
        <translation>Beleg kopieren</translation>
    </message>
    <message>
        <source>Show in Playground</source>
        <translation>Im Playground zeigen</translation>
    </message>
    <message>
        <source>Reading the question...</source>
        <translation>Die Frage wird gelesen …</translation>
    </message>
    <message>
        <source>{status} Your question is sent then.</source>
        <translation>{status} Dann wird Ihre Frage gesendet.</translation>
    </message>
    <message>
        <source>The model has stopped. Your question is saved.</source>
        <translation>Das Modell ist angehalten. Ihre Frage ist gespeichert.</translation>
    </message>
    <message>
        <source>Waiting for the reply in another chat...</source>
        <translation>Warten auf die Antwort in einem anderen Chat …</translation>
    </message>
    <message>
        <source>Writing a kernel, line {count}...</source>
        <translation>Ein Kernel wird geschrieben, Zeile {count} …</translation>
    </message>
    <message>
        <source>Writing a calculation...</source>
        <translation>Eine Rechnung wird geschrieben …</translation>
    </message>
    <message>
        <source>You can keep typing. It is sent when the model is back.</source>
        <translation>Sie können weiterschreiben. Gesendet wird, sobald das Modell zurück ist.</translation>
    </message>
    <message>
        <source>Ask, or paste a CUDA kernel</source>
        <translation>Fragen Sie, oder fügen Sie einen CUDA-Kernel ein</translation>
    </message>
    <message>
        <source>Ask something with numbers in it</source>
        <translation>Fragen Sie etwas mit Zahlen</translation>
    </message>
    <message>
        <source>{share}% full</source>
        <translation>{share} % voll</translation>
    </message>
    <message>
        <source>{used} of {limit} tokens</source>
        <translation>{used} von {limit} Tokens</translation>
    </message>
    <message>
        <source>{speed} tokens/s · {context}</source>
        <translation>{speed} Tokens/s · {context}</translation>
    </message>
</context>
<context>
    <name>Chats</name>
    <message>
        <source>January</source>
        <translation>Januar</translation>
    </message>
    <message>
        <source>February</source>
        <translation>Februar</translation>
    </message>
    <message>
        <source>March</source>
        <translation>März</translation>
    </message>
    <message>
        <source>April</source>
        <translation>April</translation>
    </message>
    <message>
        <source>May</source>
        <translation>Mai</translation>
    </message>
    <message>
        <source>June</source>
        <translation>Juni</translation>
    </message>
    <message>
        <source>July</source>
        <translation>Juli</translation>
    </message>
    <message>
        <source>August</source>
        <translation>August</translation>
    </message>
    <message>
        <source>September</source>
        <translation>September</translation>
    </message>
    <message>
        <source>October</source>
        <translation>Oktober</translation>
    </message>
    <message>
        <source>November</source>
        <translation>November</translation>
    </message>
    <message>
        <source>December</source>
        <translation>Dezember</translation>
    </message>
    <message>
        <source>Pinned</source>
        <translation>Angeheftet</translation>
    </message>
    <message>
        <source>Today</source>
        <translation>Heute</translation>
    </message>
    <message>
        <source>Yesterday</source>
        <translation>Gestern</translation>
    </message>
    <message>
        <source>Previous 7 days</source>
        <translation>Letzte 7 Tage</translation>
    </message>
    <message>
        <source>{month} {year}</source>
        <translation>{month} {year}</translation>
    </message>
</context>
<context>
    <name>CodeEditor</name>
    <message>
        <source>Kernel source. Esc, then Tab leaves the editor.</source>
        <translation>Quelltext des Kernels. Esc, dann Tab verlässt den Editor.</translation>
    </message>
</context>
<context>
    <name>CodeText</name>
    <message>
        <source>Code</source>
        <translation>Code</translation>
    </message>
</context>
<context>
    <name>CodeView</name>
    <message>
        <source>{language} code</source>
        <translation>{language}-Code</translation>
    </message>
    <message>
        <source>Copy code</source>
        <translation>Code kopieren</translation>
    </message>
</context>
<context>
    <name>CompiledView</name>
    <message>
        <source>Machine blocks</source>
        <translation>Maschinenblöcke</translation>
    </message>
    <message>
        <source>PTX</source>
        <translation>PTX</translation>
    </message>
    <message>
        <source>What the compiler made</source>
        <translation>Was der Compiler daraus machte</translation>
    </message>
</context>
<context>
    <name>Composer</name>
    <message>
        <source>Message</source>
        <translation>Nachricht</translation>
    </message>
    <message>
        <source>Advanced: write the kernel</source>
        <translation>Erweitert: den Kernel schreiben</translation>
    </message>
    <message>
        <source>The model writes its own CUDA kernel instead of using the library. Slower; up to 3 attempts. Remembered for this chat.</source>
        <translation>Das Modell schreibt seinen eigenen CUDA-Kernel, statt die Bibliothek zu verwenden. Langsamer; bis zu 3 Versuche. Für diesen Chat gemerkt.</translation>
    </message>
    <message>
        <source>Whether the model thinks before it answers. Slower, often better. Remembered for this chat.</source>
        <translation>Ob das Modell vor der Antwort nachdenkt. Langsamer, oft besser. Für diesen Chat gemerkt.</translation>
    </message>
    <message>
        <source>↵ to send</source>
        <translation>↵ sendet</translation>
    </message>
    <message>
        <source>Send</source>
        <translation>Senden</translation>
    </message>
    <message>
        <source>Ask something with numbers in it</source>
        <translation>Fragen Sie etwas mit Zahlen</translation>
    </message>
    <message>
        <source>Thinking on</source>
        <translation>Denken an</translation>
    </message>
    <message>
        <source>Thinking off</source>
        <translation>Denken aus</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Anhalten</translation>
    </message>
</context>
<context>
    <name>ComputedValue</name>
    <message>
        <source>{value}, computed in the weights</source>
        <translation>{value}, in den Gewichten berechnet</translation>
    </message>
    <message>
        <source>not computed yet</source>
        <translation>noch nicht berechnet</translation>
    </message>
</context>
<context>
    <name>DiagnosticsDialog</name>
    <message>
        <source>Diagnostics</source>
        <translation>Diagnose</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
</context>
<context>
    <name>DiagnosticsView</name>
    <message>
        <source>Copy all</source>
        <translation>Alles kopieren</translation>
    </message>
    <message>
        <source>Open the log folder</source>
        <translation>Protokollordner öffnen</translation>
    </message>
    <message>
        <source>Look again</source>
        <translation>Erneut prüfen</translation>
    </message>
    <message>
        <source>Diagnostics</source>
        <translation>Diagnose</translation>
    </message>
    <message>
        <source>What to send along when something does not work. No token, no password, nothing that anybody wrote.</source>
        <translation>Was Sie mitschicken können, wenn etwas nicht geht. Kein Token, kein Passwort, nichts, was jemand geschrieben hat.</translation>
    </message>
    <message>
        <source>Problem</source>
        <translation>Problem</translation>
    </message>
</context>
<context>
    <name>EmptyChat</name>
    <message>
        <source>Ask something with numbers in it</source>
        <translation>Fragen Sie etwas mit Zahlen</translation>
    </message>
    <message>
        <source>What is the dot product of [1, 2, 3] and [4, 5, 6]?</source>
        <translation>What is the dot product of [1, 2, 3] and [4, 5, 6]?</translation>
    </message>
    <message>
        <source>A short launch</source>
        <translation>Ein kurzer Start</translation>
    </message>
    <message>
        <source>Is 1,000,003 prime?</source>
        <translation>Is 1,000,003 prime?</translation>
    </message>
    <message>
        <source>Division after division, with remainders</source>
        <translation>Division um Division, mit Rest</translation>
    </message>
    <message>
        <source>What is 123456789 times 987654321?</source>
        <translation>What is 123456789 times 987654321?</translation>
    </message>
    <message>
        <source>All 18 digits</source>
        <translation>Alle 18 Stellen</translation>
    </message>
    <message>
        <source>Sort 42, 7, 19, 3 and 28.</source>
        <translation>Sort 42, 7, 19, 3 and 28.</translation>
    </message>
    <message>
        <source>Every entry finds its place at once</source>
        <translation>Jeder Eintrag findet seinen Platz zugleich</translation>
    </message>
    <message>
        <source>What computed values look like</source>
        <translation>So sehen berechnete Werte aus</translation>
    </message>
    <message>
        <source>The model writes the answer. A small GPU compiled into its weights does the arithmetic. Values it computed look like this: {value} Open one to step through how.</source>
        <translation>Das Modell schreibt die Antwort. Eine kleine GPU, in seine Gewichte übersetzt, rechnet. Werte, die sie berechnet hat, sehen so aus: {value} Öffnen Sie einen, um den Rechenweg Schritt für Schritt zu sehen.</translation>
    </message>
    <message>
        <source>Know CUDA? Turn on &lt;b&gt;Advanced&lt;/b&gt; below, or open the &lt;a href=&apos;playground&apos;&gt;Playground&lt;/a&gt;.</source>
        <translation>Sie kennen CUDA? Schalten Sie unten &lt;b&gt;Erweitert&lt;/b&gt; ein oder öffnen Sie den &lt;a href=&apos;playground&apos;&gt;Playground&lt;/a&gt;.</translation>
    </message>
</context>
<context>
    <name>Engine</name>
    <message>
        <source>Loading the model... {seconds} s</source>
        <translation>Das Modell wird geladen ... {seconds} s</translation>
    </message>
    <message>
        <source>Not started</source>
        <translation>Nicht begonnen</translation>
    </message>
    <message>
        <source>Starting...</source>
        <translation>Startet ...</translation>
    </message>
    <message>
        <source>Ready</source>
        <translation>Bereit</translation>
    </message>
    <message>
        <source>Resting</source>
        <translation>Ruht</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>Angehalten</translation>
    </message>
</context>
<context>
    <name>ErrorCard</name>
    <message>
        <source>Restart and continue</source>
        <translation>Neu starten und weitermachen</translation>
    </message>
    <message>
        <source>Use the small model</source>
        <translation>Kleines Modell verwenden</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Erneut versuchen</translation>
    </message>
    <message>
        <source>Open the settings</source>
        <translation>Einstellungen öffnen</translation>
    </message>
    <message>
        <source>Copy details</source>
        <translation>Einzelheiten kopieren</translation>
    </message>
    <message>
        <source>Error</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>Technical details: {details}</source>
        <translation>Technische Einzelheiten: {details}</translation>
    </message>
</context>
<context>
    <name>Faults</name>
    <message>
        <source>Close something large, then restart.</source>
        <translation>Schließen Sie etwas Großes und starten Sie dann neu.</translation>
    </message>
    <message>
        <source>Close something large, then restart. Or go on with the small built-in model, which needs {size}.</source>
        <translation>Schließen Sie etwas Großes und starten Sie dann neu. Oder machen Sie mit dem kleinen eingebauten Modell weiter, das {size} braucht.</translation>
    </message>
    <message>
        <source>The model stopped: the computer ran out of memory</source>
        <translation>Das Modell wurde beendet: Der Speicher des Computers ist voll</translation>
    </message>
    <message>
        <source>Your chat and your question are saved. Nothing needs to be typed again.</source>
        <translation>Ihr Chat und Ihre Frage sind gespeichert. Nichts muss noch einmal getippt werden.</translation>
    </message>
    <message>
        <source>The model was ended from outside</source>
        <translation>Das Modell wurde von außen beendet</translation>
    </message>
    <message>
        <source>Your chat is saved.</source>
        <translation>Ihr Chat ist gespeichert.</translation>
    </message>
    <message>
        <source>Somebody or the system ended its process. Restart and continue.</source>
        <translation>Jemand oder das System hat seinen Prozess beendet. Starten Sie neu und machen Sie weiter.</translation>
    </message>
    <message>
        <source>The model stopped unexpectedly</source>
        <translation>Das Modell wurde unerwartet beendet</translation>
    </message>
    <message>
        <source>Restart and continue. If it happens again, copy the details.</source>
        <translation>Starten Sie neu und machen Sie weiter. Geschieht es wieder, kopieren Sie die Einzelheiten.</translation>
    </message>
    <message>
        <source>The model held</source>
        <translation>Das Modell belegte</translation>
    </message>
    <message>
        <source>Free when it stopped</source>
        <translation>Frei beim Ende</translation>
    </message>
    <message>
        <source>Using the most now</source>
        <translation>Belegt gerade am meisten</translation>
    </message>
    <message>
        <source>The kernel does not compile</source>
        <translation>Der Kernel lässt sich nicht übersetzen</translation>
    </message>
    <message>
        <source>The kernel does not fit the machine</source>
        <translation>Der Kernel passt nicht in die Maschine</translation>
    </message>
    <message>
        <source>The launch was stopped: it did something that is not allowed</source>
        <translation>Der Start wurde angehalten: Er tat etwas Unerlaubtes</translation>
    </message>
    <message>
        <source>A check found a difference</source>
        <translation>Eine Prüfung fand einen Unterschied</translation>
    </message>
    <message>
        <source>Something is missing on this computer</source>
        <translation>Auf diesem Computer fehlt etwas</translation>
    </message>
    <message>
        <source>Something that was given cannot be used</source>
        <translation>Etwas Angegebenes ist nicht verwendbar</translation>
    </message>
    <message>
        <source>The app asked for something impossible</source>
        <translation>Die App verlangte etwas Unmögliches</translation>
    </message>
    <message>
        <source>An unexpected error</source>
        <translation>Ein unerwarteter Fehler</translation>
    </message>
    <message>
        <source>kind: {kind}</source>
        <translation>Art: {kind}</translation>
    </message>
</context>
<context>
    <name>Figures</name>
    <message>
        <source>Host</source>
        <translation>Host</translation>
    </message>
    <message>
        <source>Wrote the program and the numbers. Computed nothing.</source>
        <translation>Schrieb das Programm und die Zahlen. Berechnete nichts.</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>Every step, one pass through the 45 compiled layers each.</source>
        <translation>Jeden Schritt, je ein Durchlauf durch die 45 übersetzten Schichten.</translation>
    </message>
    <message>
        <source>Replay</source>
        <translation>Nachrechnung</translation>
    </message>
    <message>
        <source>A separate program that does not use the model&apos;s weights.</source>
        <translation>Ein eigenes Programm, das die Gewichte des Modells nicht verwendet.</translation>
    </message>
    <message>
        <source>tokens</source>
        <translation>Tokens</translation>
    </message>
    <message>
        <source>of {total} equal</source>
        <translation>von {total} gleich</translation>
    </message>
</context>
<context>
    <name>FileRow</name>
    <message>
        <source>Progress of this file</source>
        <translation>Fortschritt dieser Datei</translation>
    </message>
</context>
<context>
    <name>FindBar</name>
    <message>
        <source>Find in this chat</source>
        <translation>In diesem Chat suchen</translation>
    </message>
    <message>
        <source>Previous</source>
        <translation>Zurück</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>Weiter</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Nothing found</source>
        <translation>Nichts gefunden</translation>
    </message>
    <message>
        <source>out[2], word 520, r3, block 4 or token 120</source>
        <translation>out[2], word 520, r3, block 4 oder token 120</translation>
    </message>
    <message>
        <source>Find a cell, a block or a token</source>
        <translation>Zelle, Block oder Token suchen</translation>
    </message>
    <message>
        <source>The one before</source>
        <translation>Davor</translation>
    </message>
    <message>
        <source>The next one</source>
        <translation>Danach</translation>
    </message>
    <message>
        <source>Stop there</source>
        <translation>Dort anhalten</translation>
    </message>
    <message>
        <source>Playing stops whenever this block runs or this cell is written</source>
        <translation>Das Abspielen hält an, sobald dieser Block läuft oder diese Zelle geschrieben wird</translation>
    </message>
    <message>
        <source>stops at {places}</source>
        <translation>hält an bei {places}</translation>
    </message>
    <message>
        <source>playing stops at blocks and cells, not at a token</source>
        <translation>das Abspielen hält an Blöcken und Zellen an, nicht an einem Token</translation>
    </message>
</context>
<context>
    <name>FitBar</name>
    <message>
        <source>Not compiled yet</source>
        <translation>Noch nicht übersetzt</translation>
    </message>
    <message>
        <source>It does not fit</source>
        <translation>Es passt nicht</translation>
    </message>
    <message>
        <source>It fits</source>
        <translation>Es passt</translation>
    </message>
</context>
<context>
    <name>FolderControl</name>
    <message>
        <source>Change…</source>
        <translation>Ändern …</translation>
    </message>
    <message>
        <source>Change: {name}</source>
        <translation>Ändern: {name}</translation>
    </message>
    <message>
        <source>Use the default</source>
        <translation>Standard verwenden</translation>
    </message>
</context>
<context>
    <name>Header</name>
    <message>
        <source>Export this chat</source>
        <translation>Diesen Chat exportieren</translation>
    </message>
    <message>
        <source>Inspector</source>
        <translation>Inspektor</translation>
    </message>
    <message>
        <source>More</source>
        <translation>Mehr</translation>
    </message>
</context>
<context>
    <name>InspectorPanel</name>
    <message>
        <source>Launch inspector</source>
        <translation>Start-Inspektor</translation>
    </message>
    <message>
        <source>Nothing was launched for this value</source>
        <translation>Für diesen Wert wurde nichts gestartet</translation>
    </message>
    <message>
        <source>It was given, not computed.</source>
        <translation>Er wurde vorgegeben, nicht berechnet.</translation>
    </message>
    <message>
        <source>Open a computed value to see its launch.</source>
        <translation>Öffnen Sie einen berechneten Wert, um seinen Start zu sehen.</translation>
    </message>
    <message>
        <source>Views of the launch</source>
        <translation>Ansichten des Starts</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>Ergebnis</translation>
    </message>
    <message>
        <source>Kernel</source>
        <translation>Kernel</translation>
    </message>
    <message>
        <source>Machine</source>
        <translation>Maschine</translation>
    </message>
    <message>
        <source>Proof</source>
        <translation>Nachweis</translation>
    </message>
    <message>
        <source>Chat</source>
        <translation>Chat</translation>
    </message>
    <message>
        <source>Previous computed value</source>
        <translation>Voriger berechneter Wert</translation>
    </message>
    <message>
        <source>Next computed value</source>
        <translation>Nächster berechneter Wert</translation>
    </message>
    <message>
        <source>Close the inspector</source>
        <translation>Inspektor schließen</translation>
    </message>
    <message>
        <source>Launch {number} of {count} of this value</source>
        <translation>Start {number} von {count} dieses Werts</translation>
    </message>
    <message>
        <source>Replaying…</source>
        <translation>Wird nachgerechnet …</translation>
    </message>
    <message>
        <source>Replay exact</source>
        <translation>Nachrechnung exakt</translation>
    </message>
    <message>
        <source>Replay differs at token {index}</source>
        <translation>Nachrechnung weicht ab bei Token {index}</translation>
    </message>
    <message>
        <source>This record cannot be shown</source>
        <translation>Dieses Protokoll kann nicht gezeigt werden</translation>
    </message>
    <message>
        <source>Nothing of it was executed, and nothing was changed.</source>
        <translation>Nichts davon wurde ausgeführt, und nichts wurde verändert.</translation>
    </message>
    <message>
        <source>no later token touches {place}</source>
        <translation>kein späteres Token berührt {place}</translation>
    </message>
    <message>
        <source>no earlier token touches {place}</source>
        <translation>kein früheres Token berührt {place}</translation>
    </message>
    <message>
        <source>Save the receipt first, then open it here.</source>
        <translation>Speichern Sie zuerst den Beleg und öffnen Sie ihn dann hier.</translation>
    </message>
    <message>
        <source>{number}. {kernel}, {tokens} tokens</source>
        <translation>{number}. {kernel}, {tokens} Tokens</translation>
    </message>
</context>
<context>
    <name>KernelView</name>
    <message>
        <source>CUDA</source>
        <translation>CUDA</translation>
    </message>
    <message>
        <source>PTX</source>
        <translation>PTX</translation>
    </message>
    <message>
        <source>Machine blocks</source>
        <translation>Maschinenblöcke</translation>
    </message>
    <message>
        <source>The marked lines belong together; PTX follows its CUDA line. Select a line to find it in the other two.</source>
        <translation>Die markierten Zeilen gehören zusammen; PTX folgt seiner CUDA-Zeile. Wählen Sie eine Zeile, um sie in den anderen beiden zu finden.</translation>
    </message>
    <message>
        <source>CUDA · {name}.cu</source>
        <translation>CUDA · {name}.cu</translation>
    </message>
    <message>
        <source>{count} lines</source>
        <translation>{count} Zeilen</translation>
    </message>
    <message>
        <source>{count} of {most}</source>
        <translation>{count} von {most}</translation>
    </message>
    <message>
        <source>block {number}</source>
        <translation>Block {number}</translation>
    </message>
</context>
<context>
    <name>LanesCard</name>
    <message>
        <source>mask {mask}</source>
        <translation>Maske {mask}</translation>
    </message>
    <message>
        <source>warps</source>
        <translation>Warps</translation>
    </message>
</context>
<context>
    <name>LaunchForm</name>
    <message>
        <source>Launch</source>
        <translation>Start</translation>
    </message>
    <message>
        <source>Kernel</source>
        <translation>Kernel</translation>
    </message>
    <message>
        <source>Arguments</source>
        <translation>Argumente</translation>
    </message>
    <message>
        <source>Match the kernel</source>
        <translation>An den Kernel anpassen</translation>
    </message>
    <message>
        <source>Make an argument for every parameter of the kernel; values are kept</source>
        <translation>Für jeden Parameter des Kernels ein Argument anlegen; Werte bleiben erhalten</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>Hinzufügen</translation>
    </message>
    <message>
        <source>Grid</source>
        <translation>Grid</translation>
    </message>
    <message>
        <source>Block</source>
        <translation>Block</translation>
    </message>
    <message>
        <source>Shared bytes</source>
        <translation>Shared Memory (Bytes)</translation>
    </message>
</context>
<context>
    <name>Launches</name>
    <message>
        <source>running</source>
        <translation>läuft</translation>
    </message>
    <message>
        <source>replay exact</source>
        <translation>Nachrechnung exakt</translation>
    </message>
    <message>
        <source>stopped after {tokens} tokens</source>
        <translation>nach {tokens} Tokens angehalten</translation>
    </message>
    <message>
        <source>replay differs</source>
        <translation>Nachrechnung weicht ab</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>fehlgeschlagen</translation>
    </message>
    <message>
        <source>{tokens} tokens</source>
        <translation>{tokens} Tokens</translation>
    </message>
    <message>
        <source>{tokens} token</source>
        <translation>{tokens} Token</translation>
    </message>
    <message>
        <source>{count} launches · {tokens}</source>
        <translation>{count} Starts · {tokens}</translation>
    </message>
    <message>
        <source>reading {tokens} tokens</source>
        <translation>{tokens} Tokens werden gelesen</translation>
    </message>
    <message>
        <source>{tokens} tokens · block {block}</source>
        <translation>{tokens} Tokens · Block {block}</translation>
    </message>
    <message>
        <source>{tokens} tokens · block {block} · warp {warp}</source>
        <translation>{tokens} Tokens · Block {block} · Warp {warp}</translation>
    </message>
    <message>
        <source>Computed, not worked out again yet</source>
        <translation>Berechnet, noch nicht nachgerechnet</translation>
    </message>
    <message>
        <source>The replay differs. Do not rely on this value.</source>
        <translation>Die Nachrechnung weicht ab. Verlassen Sie sich nicht auf diesen Wert.</translation>
    </message>
    <message>
        <source>Computed in the weights</source>
        <translation>In den Gewichten berechnet</translation>
    </message>
    <message>
        <source>{function} · {tokens} tokens · replay exact</source>
        <translation>{function} · {tokens} Tokens · Nachrechnung exakt</translation>
    </message>
    <message>
        <source>Click to see how</source>
        <translation>Klicken, um zu sehen wie</translation>
    </message>
    <message>
        <source>{value}, computed in the weights, not worked out again yet</source>
        <translation>{value}, in den Gewichten berechnet, noch nicht nachgerechnet</translation>
    </message>
    <message>
        <source>{value}, computed by {function}, but the replay differs</source>
        <translation>{value}, berechnet von {function}, aber die Nachrechnung weicht ab</translation>
    </message>
    <message>
        <source>{value}, computed in the weights by {function}, replay exact</source>
        <translation>{value}, in den Gewichten von {function} berechnet, Nachrechnung exakt</translation>
    </message>
</context>
<context>
    <name>Layers</name>
    <message>
        <source>Input</source>
        <translation>Eingang</translation>
    </message>
    <message>
        <source>ran {count} in stages {stages}</source>
        <translation>führte {count} in den Stufen {stages} aus</translation>
    </message>
    <message>
        <source>operations</source>
        <translation>Operationen</translation>
    </message>
    <message>
        <source>ran a block without operations</source>
        <translation>führte einen Block ohne Operationen aus</translation>
    </message>
    <message>
        <source>wrote registers in {layers}</source>
        <translation>schrieb Register in {layers}</translation>
    </message>
    <message>
        <source>staged a byte in 3</source>
        <translation>legte in 3 ein Byte bereit</translation>
    </message>
    <message>
        <source>wrote memory in {layers}</source>
        <translation>schrieb Speicher in {layers}</translation>
    </message>
    <message>
        <source>wrote the program in {layers}</source>
        <translation>schrieb das Programm in {layers}</translation>
    </message>
    <message>
        <source>wrote array ids in {layers}</source>
        <translation>schrieb Feldkennungen in {layers}</translation>
    </message>
    <message>
        <source>reset the schedule in 36 to 40</source>
        <translation>setzte den Ablaufplan in 36 bis 40 zurück</translation>
    </message>
    <message>
        <source>changed the warp in 2</source>
        <translation>wechselte in 2 den Warp</translation>
    </message>
    <message>
        <source>completed the barrier in 36</source>
        <translation>schloss in 36 die Barriere ab</translation>
    </message>
    <message>
        <source>cleared what was staged in 3</source>
        <translation>löschte in 3 das Bereitgelegte</translation>
    </message>
    <message>
        <source>stopped the running block in 2</source>
        <translation>hielt in 2 den laufenden Block an</translation>
    </message>
    <message>
        <source>{what} · chose {token} in 38–43</source>
        <translation>{what} · wählte {token} in 38–43</translation>
    </message>
    <message>
        <source>Stage {number}</source>
        <translation>Stufe {number}</translation>
    </message>
    <message>
        <source>Write-back</source>
        <translation>Rückschreiben</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>Ausgang</translation>
    </message>
    <message>
        <source>Qwen, copied unchanged</source>
        <translation>Qwen, unverändert kopiert</translation>
    </message>
    <message>
        <source>start of a token</source>
        <translation>Beginn eines Tokens</translation>
    </message>
    <message>
        <source>reading the token</source>
        <translation>Lesen des Tokens</translation>
    </message>
    <message>
        <source>which block runs</source>
        <translation>welcher Block läuft</translation>
    </message>
    <message>
        <source>loading the program</source>
        <translation>Laden des Programms</translation>
    </message>
    <message>
        <source>memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>registers</source>
        <translation>Register</translation>
    </message>
    <message>
        <source>operands</source>
        <translation>Operanden</translation>
    </message>
    <message>
        <source>arithmetic</source>
        <translation>Arithmetik</translation>
    </message>
    <message>
        <source>program</source>
        <translation>Programm</translation>
    </message>
    <message>
        <source>bounds checks</source>
        <translation>Grenzprüfung</translation>
    </message>
    <message>
        <source>what is written out</source>
        <translation>was ausgegeben wird</translation>
    </message>
    <message>
        <source>program counter</source>
        <translation>Programmzähler</translation>
    </message>
    <message>
        <source>the next slot</source>
        <translation>der nächste Platz</translation>
    </message>
    <message>
        <source>scheduler</source>
        <translation>Ablaufsteuerung</translation>
    </message>
    <message>
        <source>the next token</source>
        <translation>das nächste Token</translation>
    </message>
    <message>
        <source>the next token&apos;s code</source>
        <translation>der Code des nächsten Tokens</translation>
    </message>
    <message>
        <source>output</source>
        <translation>Ausgabe</translation>
    </message>
    <message>
        <source>Qwen&apos;s own, copied unchanged</source>
        <translation>Qwens eigene, unverändert kopiert</translation>
    </message>
    <message>
        <source>Stage {number}, {part}</source>
        <translation>Stufe {number}, {part}</translation>
    </message>
</context>
<context>
    <name>LayersPicture</name>
    <message>
        <source>{count} of {total} layers are written.</source>
        <translation>{count} von {total} Schichten sind geschrieben.</translation>
    </message>
    <message>
        <source>Layer {number} · {purpose}</source>
        <translation>Schicht {number} · {purpose}</translation>
    </message>
    <message>
        <source>{mixer} weights in the mixer, {mlp} in the MLP</source>
        <translation>{mixer} Gewichte im Mixer, {mlp} im MLP</translation>
    </message>
    <message>
        <source>Layers: {summary}</source>
        <translation>Schichten: {summary}</translation>
    </message>
    <message>
        <source>Qwen&apos;s 24, not used</source>
        <translation>Qwens 24, nicht verwendet</translation>
    </message>
</context>
<context>
    <name>LedgerRow</name>
    <message>
        <source>Host</source>
        <translation>Host</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>Replay</source>
        <translation>Nachrechnung</translation>
    </message>
    <message>
        <source>holds</source>
        <translation>stimmt</translation>
    </message>
    <message>
        <source>does not hold</source>
        <translation>stimmt nicht</translation>
    </message>
    <message>
        <source>being checked</source>
        <translation>wird geprüft</translation>
    </message>
</context>
<context>
    <name>Legend</name>
    <message>
        <source>compiled</source>
        <translation>übersetzt</translation>
    </message>
    <message>
        <source>copied</source>
        <translation>kopiert</translation>
    </message>
    <message>
        <source>in work</source>
        <translation>in Arbeit</translation>
    </message>
    <message>
        <source>to do</source>
        <translation>offen</translation>
    </message>
    <message>
        <source>read</source>
        <translation>gelesen</translation>
    </message>
    <message>
        <source>changed by this token</source>
        <translation>von diesem Token geändert</translation>
    </message>
    <message>
        <source>belongs to no array: access is a fault</source>
        <translation>gehört zu keinem Feld: Zugriff ist ein Fehler</translation>
    </message>
    <message>
        <source>Legend</source>
        <translation>Legende</translation>
    </message>
</context>
<context>
    <name>LicenceDialog</name>
    <message>
        <source>Licence of {name}</source>
        <translation>Lizenz von {name}</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
</context>
<context>
    <name>Licences</name>
    <message>
        <source>The language model, downloaded by you</source>
        <translation>Das Sprachmodell, von Ihnen heruntergeladen</translation>
    </message>
    <message>
        <source>The font of code and values</source>
        <translation>Die Schrift für Code und Werte</translation>
    </message>
    <message>
        <source>The icons</source>
        <translation>Die Symbole</translation>
    </message>
</context>
<context>
    <name>ListingFrame</name>
    <message>
        <source>Copy {title}</source>
        <translation>{title} kopieren</translation>
    </message>
</context>
<context>
    <name>Machine</name>
    <message>
        <source>lane {lane}</source>
        <translation>Spur {lane}</translation>
    </message>
    <message>
        <source>idle</source>
        <translation>untätig</translation>
    </message>
    <message>
        <source>no thread</source>
        <translation>kein Thread</translation>
    </message>
    <message>
        <source>thread {thread}</source>
        <translation>Thread {thread}</translation>
    </message>
    <message>
        <source>block {block}</source>
        <translation>Block {block}</translation>
    </message>
    <message>
        <source>done</source>
        <translation>fertig</translation>
    </message>
    <message>
        <source>at barrier</source>
        <translation>an der Barriere</translation>
    </message>
    <message>
        <source>next {block}</source>
        <translation>als Nächstes {block}</translation>
    </message>
    <message>
        <source>lane {lane}, r{register} = {value} · 0x{hex}</source>
        <translation>Spur {lane}, r{register} = {value} · 0x{hex}</translation>
    </message>
    <message>
        <source>{caption} · read by operation {readers}</source>
        <translation>{caption} · gelesen von Operation {readers}</translation>
    </message>
    <message>
        <source>word {address} belongs to no array</source>
        <translation>Wort {address} gehört zu keinem Feld</translation>
    </message>
    <message>
        <source>{label}, word {address}</source>
        <translation>{label}, Wort {address}</translation>
    </message>
    <message>
        <source>{name}: {before} before, {now} now</source>
        <translation>{name}: vorher {before}, jetzt {now}</translation>
    </message>
    <message>
        <source>{name}: {now} · 0x{hex}</source>
        <translation>{name}: {now} · 0x{hex}</translation>
    </message>
</context>
<context>
    <name>MachineView</name>
    <message>
        <source>Layers</source>
        <translation>Schichten</translation>
    </message>
    <message>
        <source>No block</source>
        <translation>Kein Block</translation>
    </message>
    <message>
        <source>Lanes</source>
        <translation>Spuren</translation>
    </message>
    <message>
        <source>Registers</source>
        <translation>Register</translation>
    </message>
    <message>
        <source>Memory, words</source>
        <translation>Speicher, Wörter</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source> · {name} line {line}</source>
        <translation> · {name} Zeile {line}</translation>
    </message>
    <message>
        <source>Block {block}{where}</source>
        <translation>Block {block}{where}</translation>
    </message>
    <message>
        <source>value in lane {lane}</source>
        <translation>Wert in Spur {lane}</translation>
    </message>
    <message>
        <source>The host is writing. No block runs yet.</source>
        <translation>Der Host schreibt. Noch läuft kein Block.</translation>
    </message>
    <message>
        <source>No block runs at this token.</source>
        <translation>Bei diesem Token läuft kein Block.</translation>
    </message>
    <message>
        <source>warp {warp} of {count}</source>
        <translation>Warp {warp} von {count}</translation>
    </message>
    <message>
        <source>lane {lane}</source>
        <translation>Spur {lane}</translation>
    </message>
    <message>
        <source>Go to the token that wrote {name}</source>
        <translation>Zum Token gehen, das {name} schrieb</translation>
    </message>
    <message>
        <source>Go to the next token that writes it</source>
        <translation>Zum nächsten Token gehen, das dorthin schreibt</translation>
    </message>
    <message>
        <source>Do not stop there any more</source>
        <translation>Dort nicht mehr anhalten</translation>
    </message>
    <message>
        <source>Stop whenever it is written</source>
        <translation>Anhalten, sobald dorthin geschrieben wird</translation>
    </message>
</context>
<context>
    <name>MainWindow</name>
    <message>
        <source>New chat</source>
        <translation>Neuer Chat</translation>
    </message>
    <message>
        <source>Delete &quot;{title}&quot;?</source>
        <translation>„{title}“ löschen?</translation>
    </message>
    <message>
        <source>{messages} messages, {values} computed values. It goes to the trash and can be restored.</source>
        <translation>{messages} Nachrichten, {values} berechnete Werte. Es kommt in den Papierkorb und kann wiederhergestellt werden.</translation>
    </message>
    <message>
        <source>Keep it</source>
        <translation>Behalten</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Löschen</translation>
    </message>
    <message>
        <source>Chat moved to the trash.</source>
        <translation>Chat in den Papierkorb verschoben.</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>Restored. The chat is back.</source>
        <translation>Wiederhergestellt. Der Chat ist zurück.</translation>
    </message>
    <message>
        <source>Import chats</source>
        <translation>Chats importieren</translation>
    </message>
    <message>
        <source>{count} chats were added.</source>
        <translation>{count} Chats wurden hinzugefügt.</translation>
    </message>
    <message>
        <source>Open a computed value to see its launch. This chat has none yet.</source>
        <translation>Öffnen Sie einen berechneten Wert, um seinen Start zu sehen. Dieser Chat hat noch keinen.</translation>
    </message>
</context>
<context>
    <name>Meter</name>
    <message>
        <source>{name}: {used} of {most}</source>
        <translation>{name}: {used} von {most}</translation>
    </message>
</context>
<context>
    <name>ModelPage</name>
    <message>
        <source>Progress of the download</source>
        <translation>Fortschritt des Downloads</translation>
    </message>
    <message>
        <source>Speed, last 2 minutes</source>
        <translation>Tempo, letzte 2 Minuten</translation>
    </message>
    <message>
        <source>No data since {since}</source>
        <translation>Keine Daten seit {since}</translation>
    </message>
    <message>
        <source>The gap: connection lost at {since}, resumed by itself at {until}</source>
        <translation>Die Lücke: Verbindung um {since} verloren, um {until} von selbst fortgesetzt</translation>
    </message>
</context>
<context>
    <name>Notice</name>
    <message>
        <source>Dismiss</source>
        <translation>Ausblenden</translation>
    </message>
</context>
<context>
    <name>NumberControl</name>
    <message>
        <source>This is not a number from {low} to {high}.</source>
        <translation>Das ist keine Zahl von {low} bis {high}.</translation>
    </message>
</context>
<context>
    <name>OutcomeView</name>
    <message>
        <source>Result</source>
        <translation>Ergebnis</translation>
    </message>
    <message>
        <source>Run the kernel to see what it writes. Every number will have been computed in the weights and worked out again.</source>
        <translation>Starten Sie den Kernel, um zu sehen, was er schreibt. Jede Zahl ist dann in den Gewichten berechnet und nachgerechnet.</translation>
    </message>
    <message>
        <source>Compiling and loading…</source>
        <translation>Wird übersetzt und geladen …</translation>
    </message>
    <message>
        <source>The launch is running</source>
        <translation>Der Start läuft</translation>
    </message>
    <message>
        <source>The host writes: {tokens} tokens</source>
        <translation>Der Host schreibt: {tokens} Tokens</translation>
    </message>
    <message>
        <source>The model computes: {tokens} tokens, block {block}, warp {warp}</source>
        <translation>Das Modell rechnet: {tokens} Tokens, Block {block}, Warp {warp}</translation>
    </message>
    <message>
        <source>Replay exact</source>
        <translation>Nachrechnung exakt</translation>
    </message>
    <message>
        <source>{prompt} host tokens, then {tokens} by the model. {seconds} s.</source>
        <translation>{prompt} Tokens vom Host, dann {tokens} vom Modell. {seconds} s.</translation>
    </message>
    <message>
        <source>Open in the inspector</source>
        <translation>Im Inspektor öffnen</translation>
    </message>
    <message>
        <source>Copy launch</source>
        <translation>Start kopieren</translation>
    </message>
    <message>
        <source>As expected</source>
        <translation>Wie erwartet</translation>
    </message>
    <message>
        <source>Not as expected</source>
        <translation>Nicht wie erwartet</translation>
    </message>
    <message>
        <source>and {count} more</source>
        <translation>und {count} weitere</translation>
    </message>
    <message>
        <source>Stopped. Nothing was written.</source>
        <translation>Angehalten. Nichts wurde geschrieben.</translation>
    </message>
    <message>
        <source>The compiler found an error</source>
        <translation>Der Compiler fand einen Fehler</translation>
    </message>
    <message>
        <source>The launch was stopped by a fault</source>
        <translation>Der Start wurde durch einen Zugriffs- oder Barrierefehler angehalten</translation>
    </message>
    <message>
        <source>The machine cannot run this kernel</source>
        <translation>Die Maschine kann diesen Kernel nicht ausführen</translation>
    </message>
    <message>
        <source>The launch cannot be read</source>
        <translation>Die Startangaben sind nicht lesbar</translation>
    </message>
    <message>
        <source>The replay differs. Do not rely on this launch.</source>
        <translation>Die Nachrechnung weicht ab. Verlassen Sie sich nicht auf diesen Start.</translation>
    </message>
    <message>
        <source>The launch did not run</source>
        <translation>Der Start lief nicht</translation>
    </message>
    <message>
        <source>Step to the fault</source>
        <translation>Zum Fehler springen</translation>
    </message>
</context>
<context>
    <name>Pages</name>
    <message>
        <source>Something went wrong</source>
        <translation>Etwas ist schiefgegangen</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>{compiled} + {text} layers, on {device}</source>
        <translation>{compiled} + {text} Schichten, auf {device}</translation>
    </message>
    <message>
        <source>The model is being checked. This takes a few minutes.</source>
        <translation>Das Modell wird geprüft. Das dauert ein paar Minuten.</translation>
    </message>
    <message>
        <source>The model is exactly what was built.</source>
        <translation>Das Modell ist genau das, was gebaut wurde.</translation>
    </message>
    <message>
        <source>Attempt {number}</source>
        <translation>Versuch {number}</translation>
    </message>
</context>
<context>
    <name>Palette</name>
    <message>
        <source>Search chats and commands</source>
        <translation>Chats und Befehle suchen</translation>
    </message>
    <message>
        <source>Found</source>
        <translation>Gefunden</translation>
    </message>
    <message>
        <source>Nothing found for &quot;{words}&quot;. Search looks at titles and messages.</source>
        <translation>Nichts gefunden für „{words}“. Gesucht wird in Titeln und Nachrichten.</translation>
    </message>
</context>
<context>
    <name>PlaygroundPage</name>
    <message>
        <source>Playground</source>
        <translation>Playground</translation>
    </message>
    <message>
        <source>Not compiled yet</source>
        <translation>Noch nicht übersetzt</translation>
    </message>
    <message>
        <source>Compiles</source>
        <translation>Lässt sich übersetzen</translation>
    </message>
    <message>
        <source>A template needs its types in the launch&apos;s kernel.</source>
        <translation>Eine Vorlage braucht ihre Typen im Kernel des Starts.</translation>
    </message>
    <message>
        <source>Line {line}</source>
        <translation>Zeile {line}</translation>
    </message>
    <message>
        <source>It does not compile</source>
        <translation>Es lässt sich nicht übersetzen</translation>
    </message>
    <message>
        <source>Cannot compile</source>
        <translation>Übersetzen nicht möglich</translation>
    </message>
    <message>
        <source>Kept</source>
        <translation>Gesichert</translation>
    </message>
    <message>
        <source>No language model is used here</source>
        <translation>Hier wird kein Sprachmodell verwendet</translation>
    </message>
    <message>
        <source>Examples</source>
        <translation>Beispiele</translation>
    </message>
    <message>
        <source>Open…</source>
        <translation>Öffnen …</translation>
    </message>
    <message>
        <source>Drafts and more</source>
        <translation>Entwürfe und mehr</translation>
    </message>
    <message>
        <source>File name; .ptx for PTX</source>
        <translation>Dateiname; .ptx für PTX</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>Schrittweise</translation>
    </message>
    <message>
        <source>Run, then step through the launch in the inspector</source>
        <translation>Starten, dann im Inspektor Schritt für Schritt ansehen</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Starten</translation>
    </message>
    <message>
        <source>Compiling…</source>
        <translation>Wird übersetzt …</translation>
    </message>
    <message>
        <source>The launch cannot be read</source>
        <translation>Die Startangaben sind nicht lesbar</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <source>The library&apos;s kernels</source>
        <translation>Die Kernel der Bibliothek</translation>
    </message>
    <message>
        <source>New kernel</source>
        <translation>Neuer Kernel</translation>
    </message>
    <message>
        <source>Save as…</source>
        <translation>Speichern unter …</translation>
    </message>
    <message>
        <source>Drafts</source>
        <translation>Entwürfe</translation>
    </message>
    <message>
        <source>Delete this draft</source>
        <translation>Diesen Entwurf löschen</translation>
    </message>
    <message>
        <source>Open a kernel</source>
        <translation>Kernel öffnen</translation>
    </message>
    <message>
        <source>Kernels (*.cu *.cuh *.ptx);;All files (*)</source>
        <translation>Kernel (*.cu *.cuh *.ptx);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Save the kernel</source>
        <translation>Kernel speichern</translation>
    </message>
    <message>
        <source>Kernels (*.cu *.ptx)</source>
        <translation>Kernel (*.cu *.ptx)</translation>
    </message>
</context>
<context>
    <name>ProblemBox</name>
    <message>
        <source>Problem</source>
        <translation>Problem</translation>
    </message>
</context>
<context>
    <name>Proof</name>
    <message>
        <source>Read the expression and chose the kernel {name}</source>
        <translation>Las den Ausdruck und wählte den Kernel {name}</translation>
    </message>
    <message>
        <source>Compiled the kernel {name}</source>
        <translation>Übersetzte den Kernel {name}</translation>
    </message>
    <message>
        <source>Wrote the program, the arrays and START</source>
        <translation>Schrieb das Programm, die Felder und START</translation>
    </message>
    <message>
        <source>{program} program tokens, {rest} for data, array ids and start</source>
        <translation>{program} Tokens Programm, {rest} für Daten, Feldkennungen und Start</translation>
    </message>
    <message>
        <source>Ran {blocks} blocks and said their results</source>
        <translation>Führte {blocks} Blöcke aus und nannte ihre Ergebnisse</translation>
    </message>
    <message>
        <source>{exec} EXEC, {val} VAL</source>
        <translation>{exec} EXEC, {val} VAL</translation>
    </message>
    <message>
        <source>Wrote memory {stores} times, then {end}</source>
        <translation>Schrieb {stores} Mal Speicher, dann {end}</translation>
    </message>
    <message>
        <source>Worked out the same {total} tokens</source>
        <translation>Kam auf dieselben {total} Tokens</translation>
    </message>
    <message>
        <source>Found another token than the model&apos;s</source>
        <translation>Kam auf ein anderes Token als das Modell</translation>
    </message>
    <message>
        <source>Read nothing: the launch was stopped</source>
        <translation>Las nichts: Der Start wurde angehalten</translation>
    </message>
    <message>
        <source>Read {names} from the memory</source>
        <translation>Las {names} aus dem Speicher</translation>
    </message>
    <message>
        <source>no conversion, no rounding</source>
        <translation>keine Umwandlung, keine Rundung</translation>
    </message>
    <message>
        <source>grid {grid}, block {block}, {blocks} machine blocks</source>
        <translation>Grid {grid}, Block {block}, {blocks} Maschinenblöcke</translation>
    </message>
    <message>
        <source>{kinds}</source>
        <translation>{kinds}</translation>
    </message>
    <message>
        <source>token {index}: model {got}, replay {expected}</source>
        <translation>Token {index}: Modell {got}, Nachrechnung {expected}</translation>
    </message>
    <message>
        <source>{checked} of {total} compared, no difference</source>
        <translation>{checked} von {total} verglichen, kein Unterschied</translation>
    </message>
    <message>
        <source>Checkpoint</source>
        <translation>Checkpoint</translation>
    </message>
    <message>
        <source>Kernel source</source>
        <translation>Quelltext des Kernels</translation>
    </message>
    <message>
        <source>Machine program</source>
        <translation>Maschinenprogramm</translation>
    </message>
    <message>
        <source>Token stream</source>
        <translation>Tokenfolge</translation>
    </message>
</context>
<context>
    <name>ProofView</name>
    <message>
        <source>Who did what</source>
        <translation>Wer was getan hat</translation>
    </message>
    <message>
        <source>Fingerprints</source>
        <translation>Fingerabdrücke</translation>
    </message>
    <message>
        <source>Redo it with stock transformers</source>
        <translation>Mit unverändertem transformers wiederholen</translation>
    </message>
    <message>
        <source>the unmodified library runs the same weights</source>
        <translation>die unveränderte Bibliothek führt dieselben Gewichte aus</translation>
    </message>
    <message>
        <source>Copy the command</source>
        <translation>Befehl kopieren</translation>
    </message>
    <message>
        <source>Tokens redone</source>
        <translation>Wiederholte Tokens</translation>
    </message>
    <message>
        <source>Verify again</source>
        <translation>Erneut prüfen</translation>
    </message>
    <message>
        <source>Open receipt…</source>
        <translation>Beleg öffnen …</translation>
    </message>
    <message>
        <source>Save receipt…</source>
        <translation>Beleg speichern …</translation>
    </message>
    <message>
        <source>Made {created} · {compiler} · version {version}</source>
        <translation>Erstellt {created} · {compiler} · Version {version}</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <source>Running the launch in the weights again…</source>
        <translation>Der Start läuft noch einmal in den Gewichten …</translation>
    </message>
    <message>
        <source>{done} of {total} tokens redone in the weights</source>
        <translation>{done} von {total} Tokens in den Gewichten wiederholt</translation>
    </message>
    <message>
        <source>Stopped.</source>
        <translation>Angehalten.</translation>
    </message>
    <message>
        <source>Redone in the weights: exact · {where}</source>
        <translation>In den Gewichten wiederholt: exakt · {where}</translation>
    </message>
    <message>
        <source>Save the receipt</source>
        <translation>Beleg speichern</translation>
    </message>
    <message>
        <source>Receipt (*.json)</source>
        <translation>Beleg (*.json)</translation>
    </message>
    <message>
        <source>Saved as {name}</source>
        <translation>Gespeichert als {name}</translation>
    </message>
    <message>
        <source>Open a receipt</source>
        <translation>Beleg öffnen</translation>
    </message>
    <message>
        <source>Receipt (*.json);;All files (*)</source>
        <translation>Beleg (*.json);;Alle Dateien (*)</translation>
    </message>
</context>
<context>
    <name>ProseView</name>
    <message>
        <source>Reply</source>
        <translation>Antwort</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Copy link</source>
        <translation>Link kopieren</translation>
    </message>
    <message>
        <source>Select all</source>
        <translation>Alles auswählen</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Öffnen</translation>
    </message>
    <message>
        <source>Copy value</source>
        <translation>Wert kopieren</translation>
    </message>
    <message>
        <source>Copy expression</source>
        <translation>Ausdruck kopieren</translation>
    </message>
</context>
<context>
    <name>Quantities</name>
    <message>
        <source>{have} of {total} {unit}</source>
        <translation>{have} von {total} {unit}</translation>
    </message>
    <message>
        <source>{seconds} s</source>
        <translation>{seconds} s</translation>
    </message>
    <message>
        <source>{minutes} min {seconds} s</source>
        <translation>{minutes} min {seconds} s</translation>
    </message>
    <message>
        <source>{minutes} min</source>
        <translation>{minutes} min</translation>
    </message>
    <message>
        <source>{hours} h {minutes} min</source>
        <translation>{hours} h {minutes} min</translation>
    </message>
    <message>
        <source>time left not known yet</source>
        <translation>Restzeit noch unbekannt</translation>
    </message>
    <message>
        <source>a few seconds left</source>
        <translation>noch ein paar Sekunden</translation>
    </message>
    <message>
        <source>about {time} left</source>
        <translation>noch etwa {time}</translation>
    </message>
</context>
<context>
    <name>QuestionView</name>
    <message>
        <source>Your question</source>
        <translation>Ihre Frage</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Edit and send again</source>
        <translation>Bearbeiten und erneut senden</translation>
    </message>
    <message>
        <source>Edit your question</source>
        <translation>Frage bearbeiten</translation>
    </message>
    <message>
        <source>The old version is kept.</source>
        <translation>Die alte Fassung bleibt erhalten.</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Send</source>
        <translation>Senden</translation>
    </message>
</context>
<context>
    <name>Rail</name>
    <message>
        <source>Sidebar</source>
        <translation>Seitenleiste</translation>
    </message>
    <message>
        <source>Show the sidebar</source>
        <translation>Seitenleiste zeigen</translation>
    </message>
    <message>
        <source>New chat</source>
        <translation>Neuer Chat</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>Suchen</translation>
    </message>
    <message>
        <source>Chats</source>
        <translation>Chats</translation>
    </message>
    <message>
        <source>Playground</source>
        <translation>Playground</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
</context>
<context>
    <name>ReplyView</name>
    <message>
        <source>Reply</source>
        <translation>Antwort</translation>
    </message>
    <message>
        <source>Copy reply</source>
        <translation>Antwort kopieren</translation>
    </message>
    <message>
        <source>Answer again</source>
        <translation>Erneut antworten</translation>
    </message>
    <message>
        <source>More</source>
        <translation>Mehr</translation>
    </message>
    <message>
        <source>Copy as Markdown</source>
        <translation>Als Markdown kopieren</translation>
    </message>
    <message>
        <source>Copy as text</source>
        <translation>Als Text kopieren</translation>
    </message>
    <message>
        <source>{speed} tokens/s</source>
        <translation>{speed} Tokens/s</translation>
    </message>
    <message>
        <source>Final kernel</source>
        <translation>Endgültiger Kernel</translation>
    </message>
    <message>
        <source>Open in Playground</source>
        <translation>Im Playground öffnen</translation>
    </message>
    <message>
        <source>Stopped.</source>
        <translation>Angehalten.</translation>
    </message>
    <message>
        <source>The reply has reached its greatest length.</source>
        <translation>Die Antwort hat ihre größte Länge erreicht.</translation>
    </message>
    <message>
        <source>The app ended while this was written. What was written is kept.</source>
        <translation>Die App endete, während dies geschrieben wurde. Das Geschriebene ist erhalten.</translation>
    </message>
</context>
<context>
    <name>Report</name>
    <message>
        <source>Checking Qwen&apos;s files</source>
        <translation>Prüfen von Qwens Dateien</translation>
    </message>
    <message>
        <source>Fitting the GPU</source>
        <translation>Einpassen der GPU</translation>
    </message>
    <message>
        <source>Writing</source>
        <translation>Schreiben</translation>
    </message>
    <message>
        <source>Reading back</source>
        <translation>Zurücklesen</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>Ordner</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>{size} in {count} files</source>
        <translation>{size} in {count} Dateien</translation>
    </message>
    <message>
        <source>Language model</source>
        <translation>Sprachmodell</translation>
    </message>
    <message>
        <source>Layers</source>
        <translation>Schichten</translation>
    </message>
    <message>
        <source>{compiled} compiled in front of {own} of Qwen&apos;s</source>
        <translation>{compiled} übersetzte vor {own} von Qwen</translation>
    </message>
    <message>
        <source>Vocabulary</source>
        <translation>Vokabular</translation>
    </message>
    <message>
        <source>{own} tokens of Qwen&apos;s, {machine} of the machine</source>
        <translation>{own} Tokens von Qwen, {machine} der Maschine</translation>
    </message>
    <message>
        <source>Qwen&apos;s tensors</source>
        <translation>Qwens Tensoren</translation>
    </message>
    <message>
        <source>{count}, each with the same sha256 as before</source>
        <translation>{count}, jeder mit demselben sha256 wie zuvor</translation>
    </message>
    <message>
        <source>Machine</source>
        <translation>Maschine</translation>
    </message>
    <message>
        <source>Checkpoint</source>
        <translation>Checkpoint</translation>
    </message>
    <message>
        <source>all {rows} tokens untouched</source>
        <translation>alle {rows} Token unberührt</translation>
    </message>
    <message>
        <source>{silent} tokens untouched; {guarded} lose one axis and {open} change, in transformers only</source>
        <translation>{silent} Token unberührt; {guarded} verlieren eine Achse und {open} ändern sich, nur in transformers</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>Text</translation>
    </message>
</context>
<context>
    <name>ReportDialog</name>
    <message>
        <source>Build report</source>
        <translation>Baubericht</translation>
    </message>
    <message>
        <source>Copy the full report</source>
        <translation>Ganzen Bericht kopieren</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
</context>
<context>
    <name>ResultView</name>
    <message>
        <source>Copy as text</source>
        <translation>Als Text kopieren</translation>
    </message>
    <message>
        <source>Save…</source>
        <translation>Speichern …</translation>
    </message>
    <message>
        <source>Open in Playground</source>
        <translation>Im Playground öffnen</translation>
    </message>
    <message>
        <source>Step through it</source>
        <translation>Schritt für Schritt ansehen</translation>
    </message>
    <message>
        <source>Step to the fault</source>
        <translation>Zum Fehler springen</translation>
    </message>
    <message>
        <source>Inputs</source>
        <translation>Eingaben</translation>
    </message>
    <message>
        <source>written by the host</source>
        <translation>vom Host geschrieben</translation>
    </message>
    <message>
        <source>read from the machine&apos;s memory</source>
        <translation>aus dem Speicher der Maschine gelesen</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>Ausgabe</translation>
    </message>
    <message>
        <source>The machine stopped this launch</source>
        <translation>Die Maschine hat diesen Start angehalten</translation>
    </message>
    <message>
        <source>It did something that no launch may do, so it has no result. The last token says what, and where.</source>
        <translation>Er tat etwas, das kein Start tun darf, und hat deshalb kein Ergebnis. Das letzte Token sagt, was und wo.</translation>
    </message>
    <message>
        <source>None.</source>
        <translation>Keine.</translation>
    </message>
    <message>
        <source>Launch</source>
        <translation>Start</translation>
    </message>
    <message>
        <source>{name}.cu from the library</source>
        <translation>{name}.cu aus der Bibliothek</translation>
    </message>
    <message>
        <source>{name}, written by hand</source>
        <translation>{name}, von Hand geschrieben</translation>
    </message>
    <message>
        <source>45 compiled. Qwen&apos;s 24 were not needed.</source>
        <translation>45 übersetzte. Qwens 24 wurden nicht gebraucht.</translation>
    </message>
    <message>
        <source>Kernel</source>
        <translation>Kernel</translation>
    </message>
    <message>
        <source>Threads</source>
        <translation>Threads</translation>
    </message>
    <message>
        <source>{threads} in a block, grid {grid}, block {block}</source>
        <translation>{threads} in einem Block, Grid {grid}, Block {block}</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>Tokens</translation>
    </message>
    <message>
        <source>{host} from the host, {model} by the model</source>
        <translation>{host} vom Host, {model} vom Modell</translation>
    </message>
    <message>
        <source>Layers</source>
        <translation>Schichten</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>{seconds} s</source>
        <translation>{seconds} s</translation>
    </message>
    <message>
        <source>Save the arrays</source>
        <translation>Felder speichern</translation>
    </message>
    <message>
        <source>Table (*.csv);;JSON (*.json)</source>
        <translation>Tabelle (*.csv);;JSON (*.json)</translation>
    </message>
</context>
<context>
    <name>SelfTestPage</name>
    <message>
        <source>{count} tokens, chosen one by one by the model’s own weights</source>
        <translation>{count} Tokens, eines nach dem anderen von den Gewichten des Modells gewählt</translation>
    </message>
    <message>
        <source>The model computes it token by token.</source>
        <translation>Das Modell berechnet es Token für Token.</translation>
    </message>
</context>
<context>
    <name>Settings</name>
    <message>
        <source>Appearance</source>
        <translation>Erscheinungsbild</translation>
    </message>
    <message>
        <source>Light, dark, or as the computer is set.</source>
        <translation>Hell, dunkel oder wie am Computer eingestellt.</translation>
    </message>
    <message>
        <source>System</source>
        <translation>System</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>Hell</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>Dunkel</translation>
    </message>
    <message>
        <source>Text size</source>
        <translation>Textgröße</translation>
    </message>
    <message>
        <source>Of everything in the window.</source>
        <translation>Von allem im Fenster.</translation>
    </message>
    <message>
        <source>Reduce motion</source>
        <translation>Bewegung verringern</translation>
    </message>
    <message>
        <source>Panels appear at once; nothing slides or spins.</source>
        <translation>Flächen erscheinen sofort; nichts gleitet oder dreht sich.</translation>
    </message>
    <message>
        <source>On</source>
        <translation>Ein</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>Aus</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>Sprache</translation>
    </message>
    <message>
        <source>Of menus and messages. The model answers in yours.</source>
        <translation>Von Menüs und Meldungen. Das Modell antwortet in Ihrer.</translation>
    </message>
    <message>
        <source>Model folder</source>
        <translation>Modellordner</translation>
    </message>
    <message>
        <source>Where downloads and built models go. What is there stays there.</source>
        <translation>Wohin Downloads und gebaute Modelle kommen. Was dort ist, bleibt dort.</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>Gerät</translation>
    </message>
    <message>
        <source>Text runs here. The machine part always runs where it is exact.</source>
        <translation>Text läuft hier. Der Maschinenteil läuft immer dort, wo er exakt ist.</translation>
    </message>
    <message>
        <source>Automatic</source>
        <translation>Automatisch</translation>
    </message>
    <message>
        <source>Apple GPU</source>
        <translation>Apple-GPU</translation>
    </message>
    <message>
        <source>NVIDIA GPU</source>
        <translation>NVIDIA-GPU</translation>
    </message>
    <message>
        <source>Processor</source>
        <translation>Prozessor</translation>
    </message>
    <message>
        <source>Memory limit</source>
        <translation>Speichergrenze</translation>
    </message>
    <message>
        <source>Stop and say so before the computer starts to swap. 0 is no limit.</source>
        <translation>Anhalten und es sagen, bevor der Computer auslagert. 0 ist keine Grenze.</translation>
    </message>
    <message>
        <source>Keep the model loaded</source>
        <translation>Modell geladen lassen</translation>
    </message>
    <message>
        <source>Free the memory when the app is idle.</source>
        <translation>Den Speicher freigeben, wenn die App nichts tut.</translation>
    </message>
    <message>
        <source>For 5 minutes</source>
        <translation>5 Minuten lang</translation>
    </message>
    <message>
        <source>For 30 minutes</source>
        <translation>30 Minuten lang</translation>
    </message>
    <message>
        <source>For 2 hours</source>
        <translation>2 Stunden lang</translation>
    </message>
    <message>
        <source>Always</source>
        <translation>Immer</translation>
    </message>
    <message>
        <source>Highlight computed values</source>
        <translation>Berechnete Werte hervorheben</translation>
    </message>
    <message>
        <source>Tint and dotted underline for what the weights computed.</source>
        <translation>Tönung und gepunktete Unterstreichung für das, was die Gewichte berechnet haben.</translation>
    </message>
    <message>
        <source>System prompt</source>
        <translation>Systemprompt</translation>
    </message>
    <message>
        <source>What the model is told before every chat.</source>
        <translation>Was dem Modell vor jedem Chat gesagt wird.</translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>Temperatur</translation>
    </message>
    <message>
        <source>0 always takes the likeliest word. Computed values are exact at any temperature.</source>
        <translation>0 nimmt immer das wahrscheinlichste Wort. Berechnete Werte sind bei jeder Temperatur exakt.</translation>
    </message>
    <message>
        <source>Top-p</source>
        <translation>Top-p</translation>
    </message>
    <message>
        <source>Choose among the likeliest words that together have this probability.</source>
        <translation>Unter den wahrscheinlichsten Wörtern wählen, die zusammen diese Wahrscheinlichkeit haben.</translation>
    </message>
    <message>
        <source>Top-k</source>
        <translation>Top-k</translation>
    </message>
    <message>
        <source>Choose among this many likeliest words. 0 is all.</source>
        <translation>Unter so vielen wahrscheinlichsten Wörtern wählen. 0 sind alle.</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>Startwert</translation>
    </message>
    <message>
        <source>The same seed and the same question give the same text.</source>
        <translation>Derselbe Startwert und dieselbe Frage geben denselben Text.</translation>
    </message>
    <message>
        <source>Mirror</source>
        <translation>Spiegelserver</translation>
    </message>
    <message>
        <source>Address of a hub to download from. Empty is the usual one, or HF_ENDPOINT.</source>
        <translation>Adresse eines Hubs zum Herunterladen. Leer ist der übliche oder HF_ENDPOINT.</translation>
    </message>
    <message>
        <source>Proxy</source>
        <translation>Proxy</translation>
    </message>
    <message>
        <source>Address of an HTTP or SOCKS5 proxy. Empty is what the system says.</source>
        <translation>Adresse eines HTTP- oder SOCKS5-Proxys. Leer ist, was das System sagt.</translation>
    </message>
    <message>
        <source>Empty the trash</source>
        <translation>Papierkorb leeren</translation>
    </message>
    <message>
        <source>Deleted chats can be restored until then.</source>
        <translation>Gelöschte Chats können bis dahin wiederhergestellt werden.</translation>
    </message>
    <message>
        <source>After 7 days</source>
        <translation>Nach 7 Tagen</translation>
    </message>
    <message>
        <source>After 30 days</source>
        <translation>Nach 30 Tagen</translation>
    </message>
    <message>
        <source>Never</source>
        <translation>Nie</translation>
    </message>
    <message>
        <source>Set-up done</source>
        <translation>Einrichtung fertig</translation>
    </message>
    <message>
        <source>Whether the first-run assistant was finished or left.</source>
        <translation>Ob die Einrichtung beendet oder verlassen wurde.</translation>
    </message>
    <message>
        <source>Window</source>
        <translation>Fenster</translation>
    </message>
    <message>
        <source>Where the window was.</source>
        <translation>Wo das Fenster war.</translation>
    </message>
    <message>
        <source>Sidebar</source>
        <translation>Seitenleiste</translation>
    </message>
    <message>
        <source>Whether the list of chats is shown.</source>
        <translation>Ob die Liste der Chats gezeigt wird.</translation>
    </message>
    <message>
        <source>Last chat</source>
        <translation>Letzter Chat</translation>
    </message>
    <message>
        <source>What was open.</source>
        <translation>Was geöffnet war.</translation>
    </message>
</context>
<context>
    <name>SettingsPage</name>
    <message>
        <source>Appearance</source>
        <translation>Erscheinungsbild</translation>
    </message>
    <message>
        <source>Model and device</source>
        <translation>Modell und Gerät</translation>
    </message>
    <message>
        <source>Computed values</source>
        <translation>Berechnete Werte</translation>
    </message>
    <message>
        <source>Chat</source>
        <translation>Chat</translation>
    </message>
    <message>
        <source>Network</source>
        <translation>Netzwerk</translation>
    </message>
    <message>
        <source>Trash</source>
        <translation>Papierkorb</translation>
    </message>
    <message>
        <source>Shortcuts</source>
        <translation>Tastenkürzel</translation>
    </message>
    <message>
        <source>Search settings</source>
        <translation>Einstellungen durchsuchen</translation>
    </message>
    <message>
        <source>Close the settings</source>
        <translation>Einstellungen schließen</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>Storage</source>
        <translation>Speicherplatz</translation>
    </message>
    <message>
        <source>Diagnostics</source>
        <translation>Diagnose</translation>
    </message>
    <message>
        <source>Sections</source>
        <translation>Abschnitte</translation>
    </message>
    <message>
        <source>qwenGPU sends no usage data.</source>
        <translation>qwenGPU sendet keine Nutzungsdaten.</translation>
    </message>
    <message>
        <source>Verify</source>
        <translation>Prüfen</translation>
    </message>
    <message>
        <source>Set up…</source>
        <translation>Einrichten …</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>Nothing found for “{words}”.</source>
        <translation>Nichts gefunden für „{words}“.</translation>
    </message>
</context>
<context>
    <name>Sidebar</name>
    <message>
        <source>Sidebar</source>
        <translation>Seitenleiste</translation>
    </message>
    <message>
        <source>No chats yet.</source>
        <translation>Noch keine Chats.</translation>
    </message>
    <message>
        <source>Hide the sidebar</source>
        <translation>Seitenleiste ausblenden</translation>
    </message>
    <message>
        <source>New chat</source>
        <translation>Neuer Chat</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>Suchen</translation>
    </message>
    <message>
        <source>Playground</source>
        <translation>Playground</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
</context>
<context>
    <name>Spinner</name>
    <message>
        <source>Working</source>
        <translation>Arbeitet</translation>
    </message>
    <message>
        <source>Working...</source>
        <translation>Arbeitet ...</translation>
    </message>
</context>
<context>
    <name>StateIcon</name>
    <message>
        <source>Not started</source>
        <translation>Nicht begonnen</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>Läuft</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>Fertig</translation>
    </message>
    <message>
        <source>Warning</source>
        <translation>Warnung</translation>
    </message>
    <message>
        <source>Error</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>Pausiert</translation>
    </message>
</context>
<context>
    <name>StepItem</name>
    <message>
        <source>to do</source>
        <translation>offen</translation>
    </message>
    <message>
        <source>current step</source>
        <translation>aktueller Schritt</translation>
    </message>
    <message>
        <source>done</source>
        <translation>fertig</translation>
    </message>
</context>
<context>
    <name>StepList</name>
    <message>
        <source>Set-up</source>
        <translation>Einrichtung</translation>
    </message>
    <message>
        <source>Try it now</source>
        <translation>Gleich ausprobieren</translation>
    </message>
    <message>
        <source>The small built-in model needs no download. It computes exactly too, but it writes less well.</source>
        <translation>Das kleine eingebaute Modell braucht keinen Download. Es rechnet ebenso genau, schreibt aber weniger gut.</translation>
    </message>
    <message>
        <source>Open the small model</source>
        <translation>Kleines Modell öffnen</translation>
    </message>
</context>
<context>
    <name>StepPage</name>
    <message>
        <source>Step {number} of {count}</source>
        <translation>Schritt {number} von {count}</translation>
    </message>
</context>
<context>
    <name>Storage</name>
    <message>
        <source>Chats</source>
        <translation>Chats</translation>
    </message>
    <message>
        <source>All conversations. Export what you want to keep.</source>
        <translation>Alle Unterhaltungen. Exportieren Sie, was Sie behalten möchten.</translation>
    </message>
    <message>
        <source>Trash</source>
        <translation>Papierkorb</translation>
    </message>
    <message>
        <source>Deleted chats that can still be restored.</source>
        <translation>Gelöschte Chats, die noch wiederhergestellt werden können.</translation>
    </message>
    <message>
        <source>Launch records</source>
        <translation>Startprotokolle</translation>
    </message>
    <message>
        <source>The evidence behind computed values; needed to replay them.</source>
        <translation>Der Beleg hinter berechneten Werten; nötig, um sie nachzurechnen.</translation>
    </message>
    <message>
        <source>Built models</source>
        <translation>Gebaute Modelle</translation>
    </message>
    <message>
        <source>They are built again from the download, which takes some minutes.</source>
        <translation>Sie werden aus dem Download neu gebaut; das dauert einige Minuten.</translation>
    </message>
    <message>
        <source>Downloads</source>
        <translation>Downloads</translation>
    </message>
    <message>
        <source>Needed for building only. To build again, it is downloaded again.</source>
        <translation>Nur zum Bauen nötig. Um erneut zu bauen, wird erneut heruntergeladen.</translation>
    </message>
    <message>
        <source>Cache</source>
        <translation>Zwischenspeicher</translation>
    </message>
    <message>
        <source>Made again when it is needed.</source>
        <translation>Wird bei Bedarf neu gemacht.</translation>
    </message>
    <message>
        <source>Logs</source>
        <translation>Protokolle</translation>
    </message>
    <message>
        <source>Helpful when something is wrong.</source>
        <translation>Hilfreich, wenn etwas nicht stimmt.</translation>
    </message>
</context>
<context>
    <name>StorageGroups</name>
    <message>
        <source>Reset…</source>
        <translation>Zurücksetzen …</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>Back to what they were at the first start. Chats and models stay.</source>
        <translation>Zurück auf den Stand des ersten Starts. Chats und Modelle bleiben.</translation>
    </message>
    <message>
        <source>On this computer</source>
        <translation>Auf diesem Computer</translation>
    </message>
    <message>
        <source>Start afresh</source>
        <translation>Neu beginnen</translation>
    </message>
    <message>
        <source>Clear {what}?</source>
        <translation>{what} löschen?</translation>
    </message>
    <message numerus="yes">
        <source>%n file(s)</source>
        <translation>
            <numerusform>%n Datei</numerusform>
            <numerusform>%n Dateien</numerusform>
        </translation>
    </message>
    <message>
        <source>The app makes it again when it needs it.</source>
        <translation>Die App macht es neu, wenn sie es braucht.</translation>
    </message>
    <message>
        <source>It cannot be brought back.</source>
        <translation>Es kann nicht zurückgeholt werden.</translation>
    </message>
    <message>
        <source>{size} in {count} will be deleted.</source>
        <translation>{size} in {count} werden gelöscht.</translation>
    </message>
    <message>
        <source>Keep it</source>
        <translation>Behalten</translation>
    </message>
    <message>
        <source>Delete {size}</source>
        <translation>{size} löschen</translation>
    </message>
    <message>
        <source>Reset all settings?</source>
        <translation>Alle Einstellungen zurücksetzen?</translation>
    </message>
    <message>
        <source>Chats, models and the access token stay.</source>
        <translation>Chats, Modelle und das Zugangstoken bleiben.</translation>
    </message>
    <message>
        <source>Keep them</source>
        <translation>Behalten</translation>
    </message>
    <message>
        <source>Reset</source>
        <translation>Zurücksetzen</translation>
    </message>
</context>
<context>
    <name>ThinkingView</name>
    <message>
        <source>Thinking...</source>
        <translation>Denkt nach …</translation>
    </message>
    <message>
        <source>Thought about it</source>
        <translation>Hat darüber nachgedacht</translation>
    </message>
</context>
<context>
    <name>TokenChips</name>
    <message>
        <source>{count} tokens: {tokens}</source>
        <translation>{count} Tokens: {tokens}</translation>
    </message>
</context>
<context>
    <name>TokenRow</name>
    <message>
        <source>Access token</source>
        <translation>Zugangstoken</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>Merken</translation>
    </message>
    <message>
        <source>Forget</source>
        <translation>Vergessen</translation>
    </message>
    <message>
        <source>Kept in {place}. It is sent to this hub only.</source>
        <translation>Aufbewahrt in {place}. Es wird nur an diesen Hub gesendet.</translation>
    </message>
    <message>
        <source>Only needed where a hub asks for one. It goes to {place}, and to this hub only.</source>
        <translation>Nur nötig, wo ein Hub eines verlangt. Es kommt in {place} und geht nur an diesen Hub.</translation>
    </message>
    <message>
        <source>the system keychain</source>
        <translation>den Schlüsselbund des Systems</translation>
    </message>
</context>
<context>
    <name>TokenStrip</name>
    <message>
        <source>Tokens</source>
        <translation>Tokens</translation>
    </message>
</context>
<context>
    <name>Tokens</name>
    <message>
        <source>Block {block} runs on {lanes} ({lines}).</source>
        <translation>Block {block} läuft auf {lanes} ({lines}).</translation>
    </message>
    <message>
        <source>Block {block} runs on {lanes}.</source>
        <translation>Block {block} läuft auf {lanes}.</translation>
    </message>
    <message>
        <source>Threads {first} to {last} take their turn.</source>
        <translation>Threads {first} bis {last} sind an der Reihe.</translation>
    </message>
    <message>
        <source>Every thread has reached the barrier. All go on.</source>
        <translation>Alle Threads haben die Barriere erreicht. Alle laufen weiter.</translation>
    </message>
    <message>
        <source>The threads of CUDA warp {warp} have met. They go on.</source>
        <translation>Die Threads des CUDA-Warps {warp} haben sich getroffen. Sie laufen weiter.</translation>
    </message>
    <message>
        <source>Every thread of this block of the grid has exited.</source>
        <translation>Alle Threads dieses Blocks des Grids sind beendet.</translation>
    </message>
    <message>
        <source>The next block of the grid begins.</source>
        <translation>Der nächste Block des Grids beginnt.</translation>
    </message>
    <message>
        <source>Every thread has exited. The launch is over.</source>
        <translation>Alle Threads sind beendet. Der Start ist vorbei.</translation>
    </message>
    <message>
        <source>The host clears what an earlier text or launch left.</source>
        <translation>Der Host löscht, was ein früherer Text oder Start hinterließ.</translation>
    </message>
    <message>
        <source>The host stages byte {byte} of {lanes}: {value}.</source>
        <translation>Der Host legt Byte {byte} von {lanes} bereit: {value}.</translation>
    </message>
    <message>
        <source>every word</source>
        <translation>jedem Wort</translation>
    </message>
    <message>
        <source>word {number}</source>
        <translation>Wort {number}</translation>
    </message>
    <message>
        <source>The host writes how block {block} ends.</source>
        <translation>Der Host schreibt, wie Block {block} endet.</translation>
    </message>
    <message>
        <source>The host writes operation {part} of block {block}: {text}.</source>
        <translation>Der Host schreibt Operation {part} von Block {block}: {text}.</translation>
    </message>
    <message>
        <source>The host marks which words belong to {names}.</source>
        <translation>Der Host vermerkt, welche Wörter zu {names} gehören.</translation>
    </message>
    <message>
        <source>The host starts the launch with {threads} threads.</source>
        <translation>Der Host beginnt den Start mit {threads} Threads.</translation>
    </message>
    <message>
        <source>The host starts the launch with one thread.</source>
        <translation>Der Host beginnt den Start mit einem Thread.</translation>
    </message>
    <message>
        <source>The host writes {values} into {place}.</source>
        <translation>Der Host schreibt {values} in {place}.</translation>
    </message>
    <message>
        <source>{Who} sends {value} to be stored, byte {byte}.</source>
        <translation>{Who} sendet {value} zum Speichern, Byte {byte}.</translation>
    </message>
    <message>
        <source>Register r{register} of {who} becomes {value}.</source>
        <translation>Register r{register} von {who} wird {value}.</translation>
    </message>
    <message>
        <source>{Who} writes {value} into {place}. It held {before}.</source>
        <translation>{Who} schreibt {value} in {place}. Dort stand {before}.</translation>
    </message>
    <message>
        <source>{Who} write {values} into {place}.</source>
        <translation>{Who} schreiben {values} in {place}.</translation>
    </message>
    <message>
        <source>The barrier cannot complete: some threads wait where others never come. The launch stops.</source>
        <translation>Die Barriere kann nicht abgeschlossen werden: Einige Threads warten, wo andere nie hinkommen. Der Start hält an.</translation>
    </message>
    <message>
        <source>Operation {stage} of thread {thread} is outside its array. The launch stops.</source>
        <translation>Operation {stage} von Thread {thread} liegt außerhalb ihres Felds. Der Start hält an.</translation>
    </message>
    <message>
        <source>{first} to {last}</source>
        <translation>{first} bis {last}</translation>
    </message>
    <message>
        <source>lane {number}</source>
        <translation>Spur {number}</translation>
    </message>
    <message>
        <source>lanes {numbers}</source>
        <translation>den Spuren {numbers}</translation>
    </message>
    <message>
        <source>Lane {number}</source>
        <translation>Spur {number}</translation>
    </message>
    <message>
        <source>Lanes {numbers}</source>
        <translation>Die Spuren {numbers}</translation>
    </message>
    <message>
        <source>line {number}</source>
        <translation>Zeile {number}</translation>
    </message>
    <message>
        <source>lines {numbers}</source>
        <translation>Zeilen {numbers}</translation>
    </message>
    <message>
        <source>{list} and {last}</source>
        <translation>{list} und {last}</translation>
    </message>
</context>
<context>
    <name>Track</name>
    <message>
        <source>Token</source>
        <translation>Token</translation>
    </message>
    <message>
        <source>host 1–{count}</source>
        <translation>Host 1–{count}</translation>
    </message>
    <message>
        <source>model {first}</source>
        <translation>Modell {first}</translation>
    </message>
    <message>
        <source>{known} of {total} worked out</source>
        <translation>{known} von {total} nachgerechnet</translation>
    </message>
</context>
<context>
    <name>Transcript</name>
    <message>
        <source>Messages</source>
        <translation>Nachrichten</translation>
    </message>
    <message>
        <source>Jump to the newest</source>
        <translation>Zum Neuesten springen</translation>
    </message>
</context>
<context>
    <name>Transport</name>
    <message>
        <source>Play</source>
        <translation>Abspielen</translation>
    </message>
    <message>
        <source>To the beginning</source>
        <translation>Zum Anfang</translation>
    </message>
    <message>
        <source>One token back</source>
        <translation>Ein Token zurück</translation>
    </message>
    <message>
        <source>One token on</source>
        <translation>Ein Token weiter</translation>
    </message>
    <message>
        <source>To the end</source>
        <translation>Zum Ende</translation>
    </message>
    <message>
        <source>Find a cell, a block or a token</source>
        <translation>Zelle, Block oder Token suchen</translation>
    </message>
    <message>
        <source>Speed, tokens a second</source>
        <translation>Tempo, Tokens je Sekunde</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>Tempo</translation>
    </message>
    <message>
        <source>tokens/s</source>
        <translation>Tokens/s</translation>
    </message>
    <message>
        <source>host token {own} of {of}</source>
        <translation>Host-Token {own} von {of}</translation>
    </message>
    <message>
        <source>token {own} of {of}</source>
        <translation>Token {own} von {of}</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>Pause</translation>
    </message>
    <message>
        <source>Working out the machine up to token {position}…</source>
        <translation>Die Maschine wird bis Token {position} nachgerechnet …</translation>
    </message>
    <message>
        <source>stopped at {place}</source>
        <translation>angehalten bei {place}</translation>
    </message>
</context>
<context>
    <name>VerdictBanner</name>
    <message>
        <source>Being worked out again</source>
        <translation>Wird nachgerechnet</translation>
    </message>
    <message>
        <source>{checked} of {total} tokens are the same so far.</source>
        <translation>{checked} von {total} Tokens sind bisher gleich.</translation>
    </message>
    <message>
        <source>Worked out again without the model, the launch gives the same {total} tokens.</source>
        <translation>Ohne das Modell nachgerechnet, ergibt der Start dieselben {total} Tokens.</translation>
    </message>
    <message>
        <source>Exact</source>
        <translation>Exakt</translation>
    </message>
    <message>
        <source>Not exact</source>
        <translation>Nicht exakt</translation>
    </message>
    <message>
        <source>The replay differs at token {index}: model {got}, replay {expected}. Save the receipt and report it.</source>
        <translation>Die Nachrechnung weicht bei Token {index} ab: Modell {got}, Nachrechnung {expected}. Speichern Sie den Beleg und melden Sie es.</translation>
    </message>
</context>
<context>
    <name>Versions</name>
    <message>
        <source>Previous version</source>
        <translation>Vorige Fassung</translation>
    </message>
    <message>
        <source>Next version</source>
        <translation>Nächste Fassung</translation>
    </message>
    <message>
        <source>Version {place} of {count}</source>
        <translation>Fassung {place} von {count}</translation>
    </message>
</context>
<context>
    <name>_AttemptHead</name>
    <message>
        <source>Attempt {number}</source>
        <translation>Versuch {number}</translation>
    </message>
    <message>
        <source>ran, replay exact</source>
        <translation>lief, Nachrechnung exakt</translation>
    </message>
</context>
<context>
    <name>_AttemptItem</name>
    <message>
        <source>What the compiler said</source>
        <translation>Was der Compiler sagte</translation>
    </message>
    <message>
        <source>Step to the fault</source>
        <translation>Zum Fehler springen</translation>
    </message>
</context>
<context>
    <name>_Delegate</name>
    <message>
        <source>Draft</source>
        <translation>Entwurf</translation>
    </message>
    <message>
        <source>Title</source>
        <translation>Titel</translation>
    </message>
</context>
<context>
    <name>_Row</name>
    <message>
        <source>Stop</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <source>Stop this launch</source>
        <translation>Diesen Start anhalten</translation>
    </message>
</context>
</TS>
