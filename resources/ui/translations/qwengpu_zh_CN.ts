<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>AboutDialog</name>
    <message>
        <source>About qwenGPU</source>
        <translation>关于 qwenGPU</translation>
    </message>
    <message>
        <source>Version {version}</source>
        <translation>版本 {version}</translation>
    </message>
    <message>
        <source>A chat whose language model computes: a GPU is compiled into its weights, and CUDA kernels run in its own forward passes. Nothing leaves this computer.</source>
        <translation>一个语言模型会计算的聊天应用：GPU 被编译进它的权重，CUDA 内核在它自己的前向计算中运行。任何内容都不会离开这台电脑。</translation>
    </message>
    <message>
        <source>Diagnostics</source>
        <translation>诊断</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Licence of {name}: {licence}</source>
        <translation>{name} 的许可证：{licence}</translation>
    </message>
</context>
<context>
    <name>Actions</name>
    <message>
        <source>New chat</source>
        <translation>新对话</translation>
    </message>
    <message>
        <source>Search chats and commands</source>
        <translation>搜索对话和命令</translation>
    </message>
    <message>
        <source>Import chats...</source>
        <translation>导入对话…</translation>
    </message>
    <message>
        <source>Export this chat...</source>
        <translation>导出此对话…</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>退出</translation>
    </message>
    <message>
        <source>Find in this chat</source>
        <translation>在此对话中查找</translation>
    </message>
    <message>
        <source>Restore the deleted chat</source>
        <translation>恢复已删除的对话</translation>
    </message>
    <message>
        <source>Rename this chat</source>
        <translation>重命名此对话</translation>
    </message>
    <message>
        <source>Delete this chat</source>
        <translation>删除此对话</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Answer again</source>
        <translation>重新回答</translation>
    </message>
    <message>
        <source>Edit the last question</source>
        <translation>编辑上一个问题</translation>
    </message>
    <message>
        <source>Advanced on or off</source>
        <translation>高级模式开关</translation>
    </message>
    <message>
        <source>Thinking on or off</source>
        <translation>思考开关</translation>
    </message>
    <message>
        <source>Restart the model</source>
        <translation>重启模型</translation>
    </message>
    <message>
        <source>Sidebar</source>
        <translation>侧边栏</translation>
    </message>
    <message>
        <source>Inspector</source>
        <translation>检查器</translation>
    </message>
    <message>
        <source>Playground</source>
        <translation>试验场</translation>
    </message>
    <message>
        <source>Larger text</source>
        <translation>放大文字</translation>
    </message>
    <message>
        <source>Smaller text</source>
        <translation>缩小文字</translation>
    </message>
    <message>
        <source>Normal text size</source>
        <translation>正常文字大小</translation>
    </message>
    <message>
        <source>Full screen</source>
        <translation>全屏</translation>
    </message>
    <message>
        <source>Next pane</source>
        <translation>下一个面板</translation>
    </message>
    <message>
        <source>Previous pane</source>
        <translation>上一个面板</translation>
    </message>
    <message>
        <source>Set-up</source>
        <translation>设置向导</translation>
    </message>
    <message>
        <source>Diagnostics</source>
        <translation>诊断</translation>
    </message>
    <message>
        <source>About qwenGPU</source>
        <translation>关于 qwenGPU</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>文件(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>编辑(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;Chat</source>
        <translation>对话(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>视图(&amp;V)</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>帮助(&amp;H)</translation>
    </message>
</context>
<context>
    <name>AmountRow</name>
    <message>
        <source>Clear {size}…</source>
        <translation>清除 {size}…</translation>
    </message>
    <message>
        <source>Empty</source>
        <translation>空</translation>
    </message>
    <message>
        <source>Clear {what}, {size}</source>
        <translation>清除{what}，{size}</translation>
    </message>
</context>
<context>
    <name>ArgumentRow</name>
    <message>
        <source>not compared</source>
        <translation>不比较</translation>
    </message>
    <message>
        <source>Expected entries of {name}</source>
        <translation>{name} 的预期值</translation>
    </message>
    <message>
        <source>expected</source>
        <translation>预期</translation>
    </message>
    <message>
        <source>Name of the argument</source>
        <translation>参数名</translation>
    </message>
    <message>
        <source>Type of {name}</source>
        <translation>{name} 的类型</translation>
    </message>
    <message>
        <source>What {name} begins with</source>
        <translation>{name} 的初始内容</translation>
    </message>
    <message>
        <source>values</source>
        <translation>数值</translation>
    </message>
    <message>
        <source>zeros</source>
        <translation>零</translation>
    </message>
    <message>
        <source>Remove {name}</source>
        <translation>移除 {name}</translation>
    </message>
    <message>
        <source>Size of {name}</source>
        <translation>{name} 的大小</translation>
    </message>
    <message>
        <source>Value of {name}</source>
        <translation>{name} 的值</translation>
    </message>
    <message>
        <source>{count} values</source>
        <translation>{count} 个值</translation>
    </message>
</context>
<context>
    <name>ArrayRow</name>
    <message>
        <source>Copy {name}</source>
        <translation>复制 {name}</translation>
    </message>
</context>
<context>
    <name>ArrayTable</name>
    <message>
        <source>Entries of {name}</source>
        <translation>{name} 的元素</translation>
    </message>
</context>
<context>
    <name>Assistant</name>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>{amount} free</source>
        <translation>可用 {amount}</translation>
    </message>
    <message>
        <source>Enough for Qwen3.5-2B with the GPU in its weights.</source>
        <translation>足够运行权重中带有 GPU 的 Qwen3.5-2B。</translation>
    </message>
    <message>
        <source>Using the most now: {programs}.</source>
        <translation>目前占用最多：{programs}。</translation>
    </message>
    <message>
        <source>If you continue: the build works, since it never holds more than a part of the model; chats may be slow, and other apps may pause for a moment. The small model needs {size} only.</source>
        <translation>如果继续：构建可以完成，因为它始终只占用模型的一部分；对话可能较慢，其他程序可能短暂停顿。小模型只需 {size}。</translation>
    </message>
    <message>
        <source>This computer has {total} of memory. {needed} are recommended for Qwen3.5-2B.</source>
        <translation>这台电脑有 {total} 内存。Qwen3.5-2B 建议 {needed}。</translation>
    </message>
    <message>
        <source>{free} is free. Qwen3.5-2B is comfortable with {needed}, so this may be slow.</source>
        <translation>可用 {free}。Qwen3.5-2B 需要 {needed} 才能流畅运行，因此可能较慢。</translation>
    </message>
    <message>
        <source>Disk</source>
        <translation>磁盘</translation>
    </message>
    <message>
        <source>The folder for models cannot be written: {folder}</source>
        <translation>无法写入模型文件夹：{folder}</translation>
    </message>
    <message>
        <source>Choose another folder, or change its permissions.</source>
        <translation>请选择其他文件夹，或更改其权限。</translation>
    </message>
    <message>
        <source>{needed} are needed for the download and the build.</source>
        <translation>下载和构建需要 {needed}。</translation>
    </message>
    <message>
        <source>Free {missing}, or choose a folder on another disk.</source>
        <translation>请释放 {missing}，或选择另一块磁盘上的文件夹。</translation>
    </message>
    <message>
        <source>Enough room for the build ({build}).</source>
        <translation>空间足够构建({build})。</translation>
    </message>
    <message>
        <source>Enough room for the download ({download}) and the build ({build}).</source>
        <translation>空间足够下载({download})和构建({build})。</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>Text runs on the Apple GPU.</source>
        <translation>文本在 Apple GPU 上运行。</translation>
    </message>
    <message>
        <source>Text runs on the NVIDIA GPU.</source>
        <translation>文本在 NVIDIA GPU 上运行。</translation>
    </message>
    <message>
        <source>Text runs on the processor, which is slower than a GPU. Results are the same.</source>
        <translation>文本在处理器上运行，比 GPU 慢，但结果相同。</translation>
    </message>
    <message>
        <source>{device} A test launch is running…</source>
        <translation>{device}正在进行测试运行…</translation>
    </message>
    <message>
        <source>The test launch failed: {problem}</source>
        <translation>测试运行失败：{problem}</translation>
    </message>
    <message>
        <source>{device} A test launch gave the exact result: {tokens} tokens in {milliseconds} ms.</source>
        <translation>{device}测试运行结果精确：{tokens} 个 token，用时 {milliseconds} 毫秒。</translation>
    </message>
    <message>
        <source>Compiler</source>
        <translation>编译器</translation>
    </message>
    <message>
        <source>CUDA kernels cannot be compiled: {problem}</source>
        <translation>无法编译 CUDA 内核：{problem}</translation>
    </message>
    <message>
        <source>A test kernel was compiled in {milliseconds} ms.</source>
        <translation>测试内核在 {milliseconds} 毫秒内编译完成。</translation>
    </message>
    <message>
        <source>Everything that was downloaded is kept; it goes on from there.</source>
        <translation>已下载的内容全部保留，可从该处继续。</translation>
    </message>
    <message>
        <source>Finished layers are kept; the build goes on from there.</source>
        <translation>已完成的层会保留，构建可从该处继续。</translation>
    </message>
    <message>
        <source>Check again</source>
        <translation>重新检查</translation>
    </message>
    <message>
        <source>Choose a folder…</source>
        <translation>选择文件夹…</translation>
    </message>
    <message>
        <source>Looking…</source>
        <translation>正在检查…</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>The checks are still running.</source>
        <translation>检查仍在进行。</translation>
    </message>
    <message>
        <source>Something that is needed is missing; see above.</source>
        <translation>缺少必需的内容，见上方。</translation>
    </message>
    <message>
        <source>Continue anyway</source>
        <translation>仍然继续</translation>
    </message>
    <message>
        <source>This computer</source>
        <translation>这台电脑</translation>
    </message>
    <message>
        <source>qwenGPU runs on your own machine. These four checks take a few seconds and change nothing.</source>
        <translation>qwenGPU 在您自己的电脑上运行。这四项检查只需几秒，不会改动任何内容。</translation>
    </message>
    <message>
        <source>Nothing leaves this computer. The next step is the only one that needs the internet.</source>
        <translation>任何内容都不会离开这台电脑。只有下一步需要联网。</translation>
    </message>
    <message>
        <source>Copy details</source>
        <translation>复制详细信息</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>退出</translation>
    </message>
    <message>
        <source>Checked; this folder is used</source>
        <translation>已检查；将使用此文件夹</translation>
    </message>
    <message>
        <source>Not downloaded yet</source>
        <translation>尚未下载</translation>
    </message>
    <message>
        <source>I already have it…</source>
        <translation>我已经有了…</translation>
    </message>
    <message>
        <source>Mirror, proxy and token…</source>
        <translation>镜像、代理和令牌…</translation>
    </message>
    <message>
        <source>Licence (Apache 2.0)</source>
        <translation>许可证(Apache 2.0)</translation>
    </message>
    <message>
        <source>Get Qwen3.5-2B</source>
        <translation>获取 Qwen3.5-2B</translation>
    </message>
    <message>
        <source>The language model that talks to you: {size}, Apache 2.0. It is downloaded once, then works offline.</source>
        <translation>与您对话的语言模型：{size}，Apache 2.0。只需下载一次，之后可离线使用。</translation>
    </message>
    <message>
        <source>next try in {time}</source>
        <translation>{time}后重试</translation>
    </message>
    <message>
        <source>asking the hub…</source>
        <translation>正在询问服务器…</translation>
    </message>
    <message>
        <source>nothing comes</source>
        <translation>没有数据</translation>
    </message>
    <message>
        <source>checking what is here…</source>
        <translation>正在检查已有内容…</translation>
    </message>
    <message>
        <source>paused</source>
        <translation>已暂停</translation>
    </message>
    <message>
        <source>cancelled</source>
        <translation>已取消</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>all files checked</source>
        <translation>所有文件已校验</translation>
    </message>
    <message>
        <source>waiting</source>
        <translation>等待中</translation>
    </message>
    <message>
        <source>{problem}. It goes on by itself; {size} are kept.</source>
        <translation>{problem}。会自动继续；已保留 {size}。</translation>
    </message>
    <message>
        <source>The server is connected but sends nothing. It is asked again by itself.</source>
        <translation>服务器已连接，但没有发送数据。会自动重试。</translation>
    </message>
    <message>
        <source>The download is cancelled. {size} are kept until you delete them.</source>
        <translation>下载已取消。{size} 会保留，直到您删除。</translation>
    </message>
    <message>
        <source>The language model is complete. From here on nothing needs the internet.</source>
        <translation>语言模型已完整。从现在起无需联网。</translation>
    </message>
    <message>
        <source>Every file is checked against its sha256 before it is used. You can quit: it goes on from here next time.</source>
        <translation>每个文件在使用前都会校验 sha256。您可以退出：下次会从这里继续。</translation>
    </message>
    <message>
        <source>The folder was not changed.</source>
        <translation>文件夹未被更改。</translation>
    </message>
    <message>
        <source>{count} small files</source>
        <translation>{count} 个小文件</translation>
    </message>
    <message>
        <source>Checked</source>
        <translation>已校验</translation>
    </message>
    <message>
        <source>Checking</source>
        <translation>校验中</translation>
    </message>
    <message>
        <source>Wrong bytes</source>
        <translation>内容错误</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>返回</translation>
    </message>
    <message>
        <source>Cancel download</source>
        <translation>取消下载</translation>
    </message>
    <message>
        <source>Delete what was downloaded</source>
        <translation>删除已下载的内容</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>继续下载</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Download {size}</source>
        <translation>下载 {size}</translation>
    </message>
    <message>
        <source>The language model is needed first.</source>
        <translation>需要先有语言模型。</translation>
    </message>
    <message>
        <source>{layers} of {all} layers</source>
        <translation>{layers}/{all} 层</translation>
    </message>
    <message>
        <source>Qwen&apos;s own weights are in it bit for bit; the report names the hash of every file.</source>
        <translation>Qwen 自身的权重逐位保留；报告列出了每个文件的哈希。</translation>
    </message>
    <message>
        <source>Finished layers are kept if you stop.</source>
        <translation>停止时会保留已完成的层。</translation>
    </message>
    <message>
        <source>Show log</source>
        <translation>查看日志</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Read the build report</source>
        <translation>查看构建报告</translation>
    </message>
    <message>
        <source>Build</source>
        <translation>构建</translation>
    </message>
    <message>
        <source>Go on building</source>
        <translation>继续构建</translation>
    </message>
    <message>
        <source>The build comes first.</source>
        <translation>需要先完成构建。</translation>
    </message>
    <message>
        <source>The GPU is written into {compiled} new layers in front of Qwen’s {own}. Qwen’s own weights stay bit for bit the same.</source>
        <translation>GPU 会写入 Qwen 的 {own} 层之前的 {compiled} 个新层。Qwen 自身的权重逐位不变。</translation>
    </message>
    <message>
        <source>{time} in this phase</source>
        <translation>本阶段{time}</translation>
    </message>
    <message>
        <source>Compile the GPU</source>
        <translation>编译 GPU</translation>
    </message>
    <message>
        <source>Check Qwen</source>
        <translation>校验 Qwen</translation>
    </message>
    <message>
        <source>Fit together</source>
        <translation>适配</translation>
    </message>
    <message>
        <source>Write layers</source>
        <translation>写入各层</translation>
    </message>
    <message>
        <source>Read back</source>
        <translation>回读校验</translation>
    </message>
    <message>
        <source>done</source>
        <translation>完成</translation>
    </message>
    <message>
        <source>The result is right</source>
        <translation>结果正确</translation>
    </message>
    <message>
        <source>Every token is worked out again without the model. All must be equal.</source>
        <translation>每个 token 都在不使用模型的情况下重新计算，必须全部一致。</translation>
    </message>
    <message>
        <source>replay exact</source>
        <translation>重算一致</translation>
    </message>
    <message>
        <source>The text model is untouched</source>
        <translation>文本模型未被改动</translation>
    </message>
    <message>
        <source>Each of Qwen’s own tensors must have the bytes that it was downloaded with.</source>
        <translation>Qwen 的每个张量都必须与下载时的字节一致。</translation>
    </message>
    <message>
        <source>0 differences</source>
        <translation>0 处差异</translation>
    </message>
    <message>
        <source>The files are what was built</source>
        <translation>文件与构建结果一致</translation>
    </message>
    <message>
        <source>Every file is checked against the build report.</source>
        <translation>每个文件都与构建报告核对。</translation>
    </message>
    <message>
        <source>Step through it</source>
        <translation>逐步查看</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Run the self-test</source>
        <translation>运行自检</translation>
    </message>
    <message>
        <source>Run it again</source>
        <translation>再次运行</translation>
    </message>
    <message>
        <source>Start chatting</source>
        <translation>开始对话</translation>
    </message>
    <message>
        <source>The self-test comes first.</source>
        <translation>需要先通过自检。</translation>
    </message>
    <message>
        <source>Self-test</source>
        <translation>自检</translation>
    </message>
    <message>
        <source>A real launch on this computer, with a result everyone can check: 1×4 + 2×5 + 3×6 = 32.</source>
        <translation>在这台电脑上真实运行一次，结果人人可验：1×4 + 2×5 + 3×6 = 32。</translation>
    </message>
    <message>
        <source>The built model is kept. The small built-in model works meanwhile.</source>
        <translation>已构建的模型会保留。期间可以使用内置小模型。</translation>
    </message>
    <message>
        <source>Something is missing</source>
        <translation>缺少内容</translation>
    </message>
    <message>
        <source>Memory, disk, device, compiler</source>
        <translation>内存、磁盘、设备、编译器</translation>
    </message>
    <message>
        <source>Everything is there</source>
        <translation>一切就绪</translation>
    </message>
    <message>
        <source>Memory low, continued anyway</source>
        <translation>内存不足，已继续</translation>
    </message>
    <message>
        <source>Memory low</source>
        <translation>内存不足</translation>
    </message>
    <message>
        <source>{size}, all files checked</source>
        <translation>{size}，所有文件已校验</translation>
    </message>
    <message>
        <source>On this computer</source>
        <translation>在这台电脑上</translation>
    </message>
    <message>
        <source>{percent}, {left}</source>
        <translation>{percent},{left}</translation>
    </message>
    <message>
        <source>Paused at {percent}</source>
        <translation>已暂停于 {percent}</translation>
    </message>
    <message>
        <source>Stopped at {percent}</source>
        <translation>停止于 {percent}</translation>
    </message>
    <message>
        <source>Cancelled at {percent}</source>
        <translation>取消于 {percent}</translation>
    </message>
    <message>
        <source>{size} download</source>
        <translation>下载 {size}</translation>
    </message>
    <message>
        <source>Built</source>
        <translation>已构建</translation>
    </message>
    <message>
        <source>Built in {time}</source>
        <translation>构建用时 {time}</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>Paused; finished layers are kept</source>
        <translation>已暂停；保留已完成的层</translation>
    </message>
    <message>
        <source>{layers} layers, {size} on disk</source>
        <translation>{layers} 层，占用 {size}</translation>
    </message>
    <message>
        <source>Running…</source>
        <translation>运行中…</translation>
    </message>
    <message>
        <source>One real launch, checked</source>
        <translation>一次真实运行并校验</translation>
    </message>
    <message>
        <source>Passed</source>
        <translation>通过</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>Try the small model</source>
        <translation>试用小模型</translation>
    </message>
</context>
<context>
    <name>AssistantPage</name>
    <message>
        <source>Choose the folder of Qwen3.5-2B</source>
        <translation>选择 Qwen3.5-2B 的文件夹</translation>
    </message>
</context>
<context>
    <name>AttemptsCard</name>
    <message>
        <source>Attempts</source>
        <translation>尝试</translation>
    </message>
    <message>
        <source>{tokens} tokens</source>
        <translation>{tokens} 个 token</translation>
    </message>
</context>
<context>
    <name>Blocks</name>
    <message>
        <source>Machine blocks</source>
        <translation>机器块</translation>
    </message>
    <message>
        <source>Block {number}</source>
        <translation>块 {number}</translation>
    </message>
</context>
<context>
    <name>BuildPage</name>
    <message>
        <source>Above the line: the layer’s mixer. Below: its MLP. Height: how many weights are not zero (logarithmic).</source>
        <translation>线上：该层的混合器；线下：其 MLP。高度：非零权重的数量(对数)。</translation>
    </message>
    <message>
        <source>Progress of the build</source>
        <translation>构建进度</translation>
    </message>
    <message>
        <source>Layer {number}</source>
        <translation>第 {number} 层</translation>
    </message>
    <message>
        <source>{count} layers</source>
        <translation>{count} 层</translation>
    </message>
</context>
<context>
    <name>BytesControl</name>
    <message>
        <source>No limit</source>
        <translation>不限制</translation>
    </message>
</context>
<context>
    <name>ChatList</name>
    <message>
        <source>Chats</source>
        <translation>对话</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>重命名</translation>
    </message>
    <message>
        <source>Unpin</source>
        <translation>取消置顶</translation>
    </message>
    <message>
        <source>Pin</source>
        <translation>置顶</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
</context>
<context>
    <name>ChatModel</name>
    <message>
        <source>New chat</source>
        <translation>新对话</translation>
    </message>
    <message>
        <source>{title}, {count} computed values</source>
        <translation>{title}，{count} 个计算值</translation>
    </message>
</context>
<context>
    <name>ChatPage</name>
    <message>
        <source>Save as Markdown...</source>
        <translation>另存为 Markdown…</translation>
    </message>
    <message>
        <source>Save with records (JSON)...</source>
        <translation>连同记录保存(JSON)…</translation>
    </message>
    <message>
        <source>Copy as Markdown</source>
        <translation>复制为 Markdown</translation>
    </message>
    <message>
        <source>Rename...</source>
        <translation>重命名…</translation>
    </message>
    <message>
        <source>Pin or unpin</source>
        <translation>置顶或取消置顶</translation>
    </message>
    <message>
        <source>Find in this chat</source>
        <translation>在此对话中查找</translation>
    </message>
    <message>
        <source>Think before answering</source>
        <translation>回答前先思考</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>New chat</source>
        <translation>新对话</translation>
    </message>
    <message>
        <source>Where to save the chat as Markdown</source>
        <translation>将对话保存为 Markdown 的位置</translation>
    </message>
    <message>
        <source>Save the chat</source>
        <translation>保存对话</translation>
    </message>
    <message>
        <source>Saved.</source>
        <translation>已保存。</translation>
    </message>
    <message>
        <source>Launch {place} of {count} in this chat</source>
        <translation>此对话中的第 {place} 次运行，共 {count} 次</translation>
    </message>
    <message>
        <source>Copy receipt</source>
        <translation>复制凭据</translation>
    </message>
    <message>
        <source>Show in Playground</source>
        <translation>在试验场中显示</translation>
    </message>
    <message>
        <source>Reading the question...</source>
        <translation>正在读取问题…</translation>
    </message>
    <message>
        <source>{status} Your question is sent then.</source>
        <translation>{status}届时会发送您的问题。</translation>
    </message>
    <message>
        <source>The model has stopped. Your question is saved.</source>
        <translation>模型已停止。您的问题已保存。</translation>
    </message>
    <message>
        <source>Waiting for the reply in another chat...</source>
        <translation>正在等待另一个对话的回复…</translation>
    </message>
    <message>
        <source>Writing a kernel, line {count}...</source>
        <translation>正在编写内核，第 {count} 行…</translation>
    </message>
    <message>
        <source>Writing a calculation...</source>
        <translation>正在写出算式…</translation>
    </message>
    <message>
        <source>You can keep typing. It is sent when the model is back.</source>
        <translation>您可以继续输入。模型恢复后即会发送。</translation>
    </message>
    <message>
        <source>Ask, or paste a CUDA kernel</source>
        <translation>提问，或粘贴 CUDA 内核</translation>
    </message>
    <message>
        <source>Ask something with numbers in it</source>
        <translation>问点带数字的问题</translation>
    </message>
    <message>
        <source>{share}% full</source>
        <translation>已用 {share}%</translation>
    </message>
    <message>
        <source>{used} of {limit} tokens</source>
        <translation>{used}/{limit} 个 token</translation>
    </message>
    <message>
        <source>{speed} tokens/s · {context}</source>
        <translation>{speed} token/秒 · {context}</translation>
    </message>
</context>
<context>
    <name>Chats</name>
    <message>
        <source>January</source>
        <translation>一月</translation>
    </message>
    <message>
        <source>February</source>
        <translation>二月</translation>
    </message>
    <message>
        <source>March</source>
        <translation>三月</translation>
    </message>
    <message>
        <source>April</source>
        <translation>四月</translation>
    </message>
    <message>
        <source>May</source>
        <translation>五月</translation>
    </message>
    <message>
        <source>June</source>
        <translation>六月</translation>
    </message>
    <message>
        <source>July</source>
        <translation>七月</translation>
    </message>
    <message>
        <source>August</source>
        <translation>八月</translation>
    </message>
    <message>
        <source>September</source>
        <translation>九月</translation>
    </message>
    <message>
        <source>October</source>
        <translation>十月</translation>
    </message>
    <message>
        <source>November</source>
        <translation>十一月</translation>
    </message>
    <message>
        <source>December</source>
        <translation>十二月</translation>
    </message>
    <message>
        <source>Pinned</source>
        <translation>已置顶</translation>
    </message>
    <message>
        <source>Today</source>
        <translation>今天</translation>
    </message>
    <message>
        <source>Yesterday</source>
        <translation>昨天</translation>
    </message>
    <message>
        <source>Previous 7 days</source>
        <translation>过去 7 天</translation>
    </message>
    <message>
        <source>{month} {year}</source>
        <translation>{year} 年{month}</translation>
    </message>
</context>
<context>
    <name>CodeEditor</name>
    <message>
        <source>Kernel source. Esc, then Tab leaves the editor.</source>
        <translation>内核源代码。按 Esc 再按 Tab 离开编辑器。</translation>
    </message>
</context>
<context>
    <name>CodeText</name>
    <message>
        <source>Code</source>
        <translation>代码</translation>
    </message>
</context>
<context>
    <name>CodeView</name>
    <message>
        <source>{language} code</source>
        <translation>{language} 代码</translation>
    </message>
    <message>
        <source>Copy code</source>
        <translation>复制代码</translation>
    </message>
</context>
<context>
    <name>CompiledView</name>
    <message>
        <source>Machine blocks</source>
        <translation>机器块</translation>
    </message>
    <message>
        <source>PTX</source>
        <translation>PTX</translation>
    </message>
    <message>
        <source>What the compiler made</source>
        <translation>编译器的产物</translation>
    </message>
</context>
<context>
    <name>Composer</name>
    <message>
        <source>Message</source>
        <translation>消息</translation>
    </message>
    <message>
        <source>Advanced: write the kernel</source>
        <translation>高级：编写内核</translation>
    </message>
    <message>
        <source>The model writes its own CUDA kernel instead of using the library. Slower; up to 3 attempts. Remembered for this chat.</source>
        <translation>模型自己编写 CUDA 内核而不使用库。较慢；最多尝试 3 次。为此对话记住。</translation>
    </message>
    <message>
        <source>Whether the model thinks before it answers. Slower, often better. Remembered for this chat.</source>
        <translation>模型回答前是否思考。较慢，但通常更好。为此对话记住。</translation>
    </message>
    <message>
        <source>↵ to send</source>
        <translation>↵ 发送</translation>
    </message>
    <message>
        <source>Send</source>
        <translation>发送</translation>
    </message>
    <message>
        <source>Ask something with numbers in it</source>
        <translation>问点带数字的问题</translation>
    </message>
    <message>
        <source>Thinking on</source>
        <translation>思考：开</translation>
    </message>
    <message>
        <source>Thinking off</source>
        <translation>思考：关</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
</context>
<context>
    <name>ComputedValue</name>
    <message>
        <source>{value}, computed in the weights</source>
        <translation>{value}，在权重中计算</translation>
    </message>
    <message>
        <source>not computed yet</source>
        <translation>尚未计算</translation>
    </message>
</context>
<context>
    <name>DiagnosticsDialog</name>
    <message>
        <source>Diagnostics</source>
        <translation>诊断</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>DiagnosticsView</name>
    <message>
        <source>Copy all</source>
        <translation>全部复制</translation>
    </message>
    <message>
        <source>Open the log folder</source>
        <translation>打开日志文件夹</translation>
    </message>
    <message>
        <source>Look again</source>
        <translation>重新检查</translation>
    </message>
    <message>
        <source>Diagnostics</source>
        <translation>诊断</translation>
    </message>
    <message>
        <source>What to send along when something does not work. No token, no password, nothing that anybody wrote.</source>
        <translation>出问题时可以附上的信息。不含令牌、密码或任何人写的内容。</translation>
    </message>
    <message>
        <source>Problem</source>
        <translation>问题</translation>
    </message>
</context>
<context>
    <name>EmptyChat</name>
    <message>
        <source>Ask something with numbers in it</source>
        <translation>问点带数字的问题</translation>
    </message>
    <message>
        <source>What is the dot product of [1, 2, 3] and [4, 5, 6]?</source>
        <translation>What is the dot product of [1, 2, 3] and [4, 5, 6]?</translation>
    </message>
    <message>
        <source>A short launch</source>
        <translation>一次简短的运行</translation>
    </message>
    <message>
        <source>Is 1,000,003 prime?</source>
        <translation>Is 1,000,003 prime?</translation>
    </message>
    <message>
        <source>Division after division, with remainders</source>
        <translation>逐次带余除法</translation>
    </message>
    <message>
        <source>What is 123456789 times 987654321?</source>
        <translation>What is 123456789 times 987654321?</translation>
    </message>
    <message>
        <source>All 18 digits</source>
        <translation>全部 18 位数字</translation>
    </message>
    <message>
        <source>Sort 42, 7, 19, 3 and 28.</source>
        <translation>Sort 42, 7, 19, 3 and 28.</translation>
    </message>
    <message>
        <source>Every entry finds its place at once</source>
        <translation>每个元素同时找到自己的位置</translation>
    </message>
    <message>
        <source>What computed values look like</source>
        <translation>计算值的样子</translation>
    </message>
    <message>
        <source>The model writes the answer. A small GPU compiled into its weights does the arithmetic. Values it computed look like this: {value} Open one to step through how.</source>
        <translation>模型负责写出回答，编译进其权重的小型 GPU 负责运算。由它计算的值是这个样子：{value} 打开任意一个即可逐步查看过程。</translation>
    </message>
    <message>
        <source>Know CUDA? Turn on &lt;b&gt;Advanced&lt;/b&gt; below, or open the &lt;a href=&apos;playground&apos;&gt;Playground&lt;/a&gt;.</source>
        <translation>会写 CUDA？打开下方的&lt;b&gt;高级&lt;/b&gt;，或进入&lt;a href=&apos;playground&apos;&gt;试验场&lt;/a&gt;。</translation>
    </message>
</context>
<context>
    <name>Engine</name>
    <message>
        <source>Loading the model... {seconds} s</source>
        <translation>正在加载模型… {seconds} 秒</translation>
    </message>
    <message>
        <source>Not started</source>
        <translation>未开始</translation>
    </message>
    <message>
        <source>Starting...</source>
        <translation>启动中…</translation>
    </message>
    <message>
        <source>Ready</source>
        <translation>就绪</translation>
    </message>
    <message>
        <source>Resting</source>
        <translation>休眠中</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>已停止</translation>
    </message>
</context>
<context>
    <name>ErrorCard</name>
    <message>
        <source>Restart and continue</source>
        <translation>重启并继续</translation>
    </message>
    <message>
        <source>Use the small model</source>
        <translation>使用小模型</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Open the settings</source>
        <translation>打开设置</translation>
    </message>
    <message>
        <source>Copy details</source>
        <translation>复制详细信息</translation>
    </message>
    <message>
        <source>Error</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>Technical details: {details}</source>
        <translation>技术细节：{details}</translation>
    </message>
</context>
<context>
    <name>Faults</name>
    <message>
        <source>Close something large, then restart.</source>
        <translation>请关闭占用较大的程序，然后重启。</translation>
    </message>
    <message>
        <source>Close something large, then restart. Or go on with the small built-in model, which needs {size}.</source>
        <translation>请关闭占用较大的程序，然后重启。或改用只需 {size} 的内置小模型。</translation>
    </message>
    <message>
        <source>The model stopped: the computer ran out of memory</source>
        <translation>模型已停止：电脑内存不足</translation>
    </message>
    <message>
        <source>Your chat and your question are saved. Nothing needs to be typed again.</source>
        <translation>您的对话和问题已保存，无需重新输入。</translation>
    </message>
    <message>
        <source>The model was ended from outside</source>
        <translation>模型被外部结束</translation>
    </message>
    <message>
        <source>Your chat is saved.</source>
        <translation>您的对话已保存。</translation>
    </message>
    <message>
        <source>Somebody or the system ended its process. Restart and continue.</source>
        <translation>有人或系统结束了它的进程。请重启并继续。</translation>
    </message>
    <message>
        <source>The model stopped unexpectedly</source>
        <translation>模型意外停止</translation>
    </message>
    <message>
        <source>Restart and continue. If it happens again, copy the details.</source>
        <translation>请重启并继续。如果再次发生，请复制详细信息。</translation>
    </message>
    <message>
        <source>The model held</source>
        <translation>模型占用</translation>
    </message>
    <message>
        <source>Free when it stopped</source>
        <translation>停止时可用</translation>
    </message>
    <message>
        <source>Using the most now</source>
        <translation>目前占用最多</translation>
    </message>
    <message>
        <source>The kernel does not compile</source>
        <translation>内核无法编译</translation>
    </message>
    <message>
        <source>The kernel does not fit the machine</source>
        <translation>内核超出机器限制</translation>
    </message>
    <message>
        <source>The launch was stopped: it did something that is not allowed</source>
        <translation>运行已停止：执行了不允许的操作</translation>
    </message>
    <message>
        <source>A check found a difference</source>
        <translation>校验发现差异</translation>
    </message>
    <message>
        <source>Something is missing on this computer</source>
        <translation>这台电脑缺少某些内容</translation>
    </message>
    <message>
        <source>Something that was given cannot be used</source>
        <translation>提供的内容无法使用</translation>
    </message>
    <message>
        <source>The app asked for something impossible</source>
        <translation>应用请求了不可能的操作</translation>
    </message>
    <message>
        <source>An unexpected error</source>
        <translation>意外错误</translation>
    </message>
    <message>
        <source>kind: {kind}</source>
        <translation>类型：{kind}</translation>
    </message>
</context>
<context>
    <name>Figures</name>
    <message>
        <source>Host</source>
        <translation>主机</translation>
    </message>
    <message>
        <source>Wrote the program and the numbers. Computed nothing.</source>
        <translation>写入了程序和数字，没有进行任何计算。</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Every step, one pass through the 45 compiled layers each.</source>
        <translation>每一步都经过 45 个编译层一次。</translation>
    </message>
    <message>
        <source>Replay</source>
        <translation>重算</translation>
    </message>
    <message>
        <source>A separate program that does not use the model&apos;s weights.</source>
        <translation>一个不使用模型权重的独立程序。</translation>
    </message>
    <message>
        <source>tokens</source>
        <translation>个 token</translation>
    </message>
    <message>
        <source>of {total} equal</source>
        <translation>/{total} 个一致</translation>
    </message>
</context>
<context>
    <name>FileRow</name>
    <message>
        <source>Progress of this file</source>
        <translation>此文件的进度</translation>
    </message>
</context>
<context>
    <name>FindBar</name>
    <message>
        <source>Find in this chat</source>
        <translation>在此对话中查找</translation>
    </message>
    <message>
        <source>Previous</source>
        <translation>上一个</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>下一个</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Nothing found</source>
        <translation>未找到</translation>
    </message>
    <message>
        <source>out[2], word 520, r3, block 4 or token 120</source>
        <translation>out[2]、word 520、r3、block 4 或 token 120</translation>
    </message>
    <message>
        <source>Find a cell, a block or a token</source>
        <translation>查找单元、块或 token</translation>
    </message>
    <message>
        <source>The one before</source>
        <translation>前一个</translation>
    </message>
    <message>
        <source>The next one</source>
        <translation>后一个</translation>
    </message>
    <message>
        <source>Stop there</source>
        <translation>在此暂停</translation>
    </message>
    <message>
        <source>Playing stops whenever this block runs or this cell is written</source>
        <translation>每当运行此块或写入此单元时，播放暂停</translation>
    </message>
    <message>
        <source>stops at {places}</source>
        <translation>暂停于 {places}</translation>
    </message>
    <message>
        <source>playing stops at blocks and cells, not at a token</source>
        <translation>播放可在块和单元处暂停，不能在 token 处暂停</translation>
    </message>
</context>
<context>
    <name>FitBar</name>
    <message>
        <source>Not compiled yet</source>
        <translation>尚未编译</translation>
    </message>
    <message>
        <source>It does not fit</source>
        <translation>放不下</translation>
    </message>
    <message>
        <source>It fits</source>
        <translation>放得下</translation>
    </message>
</context>
<context>
    <name>FolderControl</name>
    <message>
        <source>Change…</source>
        <translation>更改…</translation>
    </message>
    <message>
        <source>Change: {name}</source>
        <translation>更改：{name}</translation>
    </message>
    <message>
        <source>Use the default</source>
        <translation>使用默认值</translation>
    </message>
</context>
<context>
    <name>Header</name>
    <message>
        <source>Export this chat</source>
        <translation>导出此对话</translation>
    </message>
    <message>
        <source>Inspector</source>
        <translation>检查器</translation>
    </message>
    <message>
        <source>More</source>
        <translation>更多</translation>
    </message>
</context>
<context>
    <name>InspectorPanel</name>
    <message>
        <source>Launch inspector</source>
        <translation>运行检查器</translation>
    </message>
    <message>
        <source>Nothing was launched for this value</source>
        <translation>此值没有对应的运行</translation>
    </message>
    <message>
        <source>It was given, not computed.</source>
        <translation>它是给定的，不是计算出来的。</translation>
    </message>
    <message>
        <source>Open a computed value to see its launch.</source>
        <translation>打开一个计算值以查看其运行。</translation>
    </message>
    <message>
        <source>Views of the launch</source>
        <translation>运行的各个视图</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Kernel</source>
        <translation>内核</translation>
    </message>
    <message>
        <source>Machine</source>
        <translation>机器</translation>
    </message>
    <message>
        <source>Proof</source>
        <translation>证明</translation>
    </message>
    <message>
        <source>Chat</source>
        <translation>对话</translation>
    </message>
    <message>
        <source>Previous computed value</source>
        <translation>上一个计算值</translation>
    </message>
    <message>
        <source>Next computed value</source>
        <translation>下一个计算值</translation>
    </message>
    <message>
        <source>Close the inspector</source>
        <translation>关闭检查器</translation>
    </message>
    <message>
        <source>Launch {number} of {count} of this value</source>
        <translation>此值的第 {number} 次运行，共 {count} 次</translation>
    </message>
    <message>
        <source>Replaying…</source>
        <translation>正在重算…</translation>
    </message>
    <message>
        <source>Replay exact</source>
        <translation>重算一致</translation>
    </message>
    <message>
        <source>Replay differs at token {index}</source>
        <translation>重算在第 {index} 个 token 处不一致</translation>
    </message>
    <message>
        <source>This record cannot be shown</source>
        <translation>无法显示此记录</translation>
    </message>
    <message>
        <source>Nothing of it was executed, and nothing was changed.</source>
        <translation>没有执行其中任何内容，也没有任何更改。</translation>
    </message>
    <message>
        <source>no later token touches {place}</source>
        <translation>之后没有 token 涉及 {place}</translation>
    </message>
    <message>
        <source>no earlier token touches {place}</source>
        <translation>之前没有 token 涉及 {place}</translation>
    </message>
    <message>
        <source>Save the receipt first, then open it here.</source>
        <translation>请先保存凭据，再在此打开。</translation>
    </message>
    <message>
        <source>{number}. {kernel}, {tokens} tokens</source>
        <translation>{number}. {kernel}，{tokens} 个 token</translation>
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
        <translation>机器块</translation>
    </message>
    <message>
        <source>The marked lines belong together; PTX follows its CUDA line. Select a line to find it in the other two.</source>
        <translation>标出的行彼此对应；PTX 按其 CUDA 行跟随。选择一行即可在另外两处找到它。</translation>
    </message>
    <message>
        <source>CUDA · {name}.cu</source>
        <translation>CUDA · {name}.cu</translation>
    </message>
    <message>
        <source>{count} lines</source>
        <translation>{count} 行</translation>
    </message>
    <message>
        <source>{count} of {most}</source>
        <translation>{count}/{most}</translation>
    </message>
    <message>
        <source>block {number}</source>
        <translation>块 {number}</translation>
    </message>
</context>
<context>
    <name>LanesCard</name>
    <message>
        <source>mask {mask}</source>
        <translation>掩码 {mask}</translation>
    </message>
    <message>
        <source>warps</source>
        <translation>warp</translation>
    </message>
</context>
<context>
    <name>LaunchForm</name>
    <message>
        <source>Launch</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Kernel</source>
        <translation>内核</translation>
    </message>
    <message>
        <source>Arguments</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>Match the kernel</source>
        <translation>与内核匹配</translation>
    </message>
    <message>
        <source>Make an argument for every parameter of the kernel; values are kept</source>
        <translation>为内核的每个形参建立参数；已有的值会保留</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>添加</translation>
    </message>
    <message>
        <source>Grid</source>
        <translation>网格</translation>
    </message>
    <message>
        <source>Block</source>
        <translation>线程块</translation>
    </message>
    <message>
        <source>Shared bytes</source>
        <translation>共享内存字节数</translation>
    </message>
</context>
<context>
    <name>Launches</name>
    <message>
        <source>running</source>
        <translation>运行中</translation>
    </message>
    <message>
        <source>replay exact</source>
        <translation>重算一致</translation>
    </message>
    <message>
        <source>stopped after {tokens} tokens</source>
        <translation>{tokens} 个 token 后停止</translation>
    </message>
    <message>
        <source>replay differs</source>
        <translation>重算不一致</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>{tokens} tokens</source>
        <translation>{tokens} 个 token</translation>
    </message>
    <message>
        <source>{tokens} token</source>
        <translation>{tokens} 个 token</translation>
    </message>
    <message>
        <source>{count} launches · {tokens}</source>
        <translation>{count} 次运行 · {tokens}</translation>
    </message>
    <message>
        <source>reading {tokens} tokens</source>
        <translation>正在读取 {tokens} 个 token</translation>
    </message>
    <message>
        <source>{tokens} tokens · block {block}</source>
        <translation>{tokens} 个 token · 块 {block}</translation>
    </message>
    <message>
        <source>{tokens} tokens · block {block} · warp {warp}</source>
        <translation>{tokens} 个 token · 块 {block} · warp {warp}</translation>
    </message>
    <message>
        <source>Computed, not worked out again yet</source>
        <translation>已计算，尚未重算</translation>
    </message>
    <message>
        <source>The replay differs. Do not rely on this value.</source>
        <translation>重算不一致。请勿依赖此值。</translation>
    </message>
    <message>
        <source>Computed in the weights</source>
        <translation>在权重中计算</translation>
    </message>
    <message>
        <source>{function} · {tokens} tokens · replay exact</source>
        <translation>{function} · {tokens} 个 token · 重算一致</translation>
    </message>
    <message>
        <source>Click to see how</source>
        <translation>点击查看过程</translation>
    </message>
    <message>
        <source>{value}, computed in the weights, not worked out again yet</source>
        <translation>{value}，在权重中计算，尚未重算</translation>
    </message>
    <message>
        <source>{value}, computed by {function}, but the replay differs</source>
        <translation>{value}，由 {function} 计算，但重算不一致</translation>
    </message>
    <message>
        <source>{value}, computed in the weights by {function}, replay exact</source>
        <translation>{value}，由 {function} 在权重中计算，重算一致</translation>
    </message>
</context>
<context>
    <name>Layers</name>
    <message>
        <source>Input</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>ran {count} in stages {stages}</source>
        <translation>在第 {stages} 级执行了{count}</translation>
    </message>
    <message>
        <source>operations</source>
        <translation>运算</translation>
    </message>
    <message>
        <source>ran a block without operations</source>
        <translation>执行了一个没有运算的块</translation>
    </message>
    <message>
        <source>wrote registers in {layers}</source>
        <translation>在第 {layers} 层写寄存器</translation>
    </message>
    <message>
        <source>staged a byte in 3</source>
        <translation>在第 3 层暂存一个字节</translation>
    </message>
    <message>
        <source>wrote memory in {layers}</source>
        <translation>在第 {layers} 层写内存</translation>
    </message>
    <message>
        <source>wrote the program in {layers}</source>
        <translation>在第 {layers} 层写程序</translation>
    </message>
    <message>
        <source>wrote array ids in {layers}</source>
        <translation>在第 {layers} 层写数组标识</translation>
    </message>
    <message>
        <source>reset the schedule in 36 to 40</source>
        <translation>在第 36 至 40 层重置调度</translation>
    </message>
    <message>
        <source>changed the warp in 2</source>
        <translation>在第 2 层切换 warp</translation>
    </message>
    <message>
        <source>completed the barrier in 36</source>
        <translation>在第 36 层完成屏障</translation>
    </message>
    <message>
        <source>cleared what was staged in 3</source>
        <translation>在第 3 层清除暂存内容</translation>
    </message>
    <message>
        <source>stopped the running block in 2</source>
        <translation>在第 2 层停止正在运行的块</translation>
    </message>
    <message>
        <source>{what} · chose {token} in 38–43</source>
        <translation>{what} · 在第 38–43 层选出 {token}</translation>
    </message>
    <message>
        <source>Stage {number}</source>
        <translation>第 {number} 级</translation>
    </message>
    <message>
        <source>Write-back</source>
        <translation>写回</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>Qwen, copied unchanged</source>
        <translation>Qwen，原样复制</translation>
    </message>
    <message>
        <source>start of a token</source>
        <translation>token 开始</translation>
    </message>
    <message>
        <source>reading the token</source>
        <translation>读取 token</translation>
    </message>
    <message>
        <source>which block runs</source>
        <translation>运行哪个块</translation>
    </message>
    <message>
        <source>loading the program</source>
        <translation>载入程序</translation>
    </message>
    <message>
        <source>memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>registers</source>
        <translation>寄存器</translation>
    </message>
    <message>
        <source>operands</source>
        <translation>操作数</translation>
    </message>
    <message>
        <source>arithmetic</source>
        <translation>算术</translation>
    </message>
    <message>
        <source>program</source>
        <translation>程序</translation>
    </message>
    <message>
        <source>bounds checks</source>
        <translation>边界检查</translation>
    </message>
    <message>
        <source>what is written out</source>
        <translation>写出内容</translation>
    </message>
    <message>
        <source>program counter</source>
        <translation>程序计数器</translation>
    </message>
    <message>
        <source>the next slot</source>
        <translation>下一个槽位</translation>
    </message>
    <message>
        <source>scheduler</source>
        <translation>调度器</translation>
    </message>
    <message>
        <source>the next token</source>
        <translation>下一个 token</translation>
    </message>
    <message>
        <source>the next token&apos;s code</source>
        <translation>下一个 token 的编码</translation>
    </message>
    <message>
        <source>output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>Qwen&apos;s own, copied unchanged</source>
        <translation>Qwen 自身，原样复制</translation>
    </message>
    <message>
        <source>Stage {number}, {part}</source>
        <translation>第 {number} 级，{part}</translation>
    </message>
</context>
<context>
    <name>LayersPicture</name>
    <message>
        <source>{count} of {total} layers are written.</source>
        <translation>已写入 {count}/{total} 层。</translation>
    </message>
    <message>
        <source>Layer {number} · {purpose}</source>
        <translation>第 {number} 层 · {purpose}</translation>
    </message>
    <message>
        <source>{mixer} weights in the mixer, {mlp} in the MLP</source>
        <translation>混合器 {mixer} 个权重，MLP {mlp} 个</translation>
    </message>
    <message>
        <source>Layers: {summary}</source>
        <translation>层：{summary}</translation>
    </message>
    <message>
        <source>Qwen&apos;s 24, not used</source>
        <translation>Qwen 的 24 层，未使用</translation>
    </message>
</context>
<context>
    <name>LedgerRow</name>
    <message>
        <source>Host</source>
        <translation>主机</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Replay</source>
        <translation>重算</translation>
    </message>
    <message>
        <source>holds</source>
        <translation>成立</translation>
    </message>
    <message>
        <source>does not hold</source>
        <translation>不成立</translation>
    </message>
    <message>
        <source>being checked</source>
        <translation>正在检查</translation>
    </message>
</context>
<context>
    <name>Legend</name>
    <message>
        <source>compiled</source>
        <translation>已编译</translation>
    </message>
    <message>
        <source>copied</source>
        <translation>已复制</translation>
    </message>
    <message>
        <source>in work</source>
        <translation>进行中</translation>
    </message>
    <message>
        <source>to do</source>
        <translation>待办</translation>
    </message>
    <message>
        <source>read</source>
        <translation>读取</translation>
    </message>
    <message>
        <source>changed by this token</source>
        <translation>被此 token 更改</translation>
    </message>
    <message>
        <source>belongs to no array: access is a fault</source>
        <translation>不属于任何数组：访问即出错</translation>
    </message>
    <message>
        <source>Legend</source>
        <translation>图例</translation>
    </message>
</context>
<context>
    <name>LicenceDialog</name>
    <message>
        <source>Licence of {name}</source>
        <translation>{name} 的许可证</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>Licences</name>
    <message>
        <source>The language model, downloaded by you</source>
        <translation>由您下载的语言模型</translation>
    </message>
    <message>
        <source>The font of code and values</source>
        <translation>代码和数值的字体</translation>
    </message>
    <message>
        <source>The icons</source>
        <translation>图标</translation>
    </message>
</context>
<context>
    <name>ListingFrame</name>
    <message>
        <source>Copy {title}</source>
        <translation>复制 {title}</translation>
    </message>
</context>
<context>
    <name>Machine</name>
    <message>
        <source>lane {lane}</source>
        <translation>通道 {lane}</translation>
    </message>
    <message>
        <source>idle</source>
        <translation>空闲</translation>
    </message>
    <message>
        <source>no thread</source>
        <translation>无线程</translation>
    </message>
    <message>
        <source>thread {thread}</source>
        <translation>线程 {thread}</translation>
    </message>
    <message>
        <source>block {block}</source>
        <translation>块 {block}</translation>
    </message>
    <message>
        <source>done</source>
        <translation>完成</translation>
    </message>
    <message>
        <source>at barrier</source>
        <translation>在屏障处</translation>
    </message>
    <message>
        <source>next {block}</source>
        <translation>下一块 {block}</translation>
    </message>
    <message>
        <source>lane {lane}, r{register} = {value} · 0x{hex}</source>
        <translation>通道 {lane}，r{register} = {value} · 0x{hex}</translation>
    </message>
    <message>
        <source>{caption} · read by operation {readers}</source>
        <translation>{caption} · 被运算 {readers} 读取</translation>
    </message>
    <message>
        <source>word {address} belongs to no array</source>
        <translation>字 {address} 不属于任何数组</translation>
    </message>
    <message>
        <source>{label}, word {address}</source>
        <translation>{label}，字 {address}</translation>
    </message>
    <message>
        <source>{name}: {before} before, {now} now</source>
        <translation>{name}：之前 {before}，现在 {now}</translation>
    </message>
    <message>
        <source>{name}: {now} · 0x{hex}</source>
        <translation>{name}：{now} · 0x{hex}</translation>
    </message>
</context>
<context>
    <name>MachineView</name>
    <message>
        <source>Layers</source>
        <translation>层</translation>
    </message>
    <message>
        <source>No block</source>
        <translation>无块</translation>
    </message>
    <message>
        <source>Lanes</source>
        <translation>通道</translation>
    </message>
    <message>
        <source>Registers</source>
        <translation>寄存器</translation>
    </message>
    <message>
        <source>Memory, words</source>
        <translation>内存，字</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source> · {name} line {line}</source>
        <translation> · {name} 第 {line} 行</translation>
    </message>
    <message>
        <source>Block {block}{where}</source>
        <translation>块 {block}{where}</translation>
    </message>
    <message>
        <source>value in lane {lane}</source>
        <translation>通道 {lane} 中的值</translation>
    </message>
    <message>
        <source>The host is writing. No block runs yet.</source>
        <translation>主机正在写入，尚无块运行。</translation>
    </message>
    <message>
        <source>No block runs at this token.</source>
        <translation>此 token 处没有块运行。</translation>
    </message>
    <message>
        <source>warp {warp} of {count}</source>
        <translation>warp {warp}/{count}</translation>
    </message>
    <message>
        <source>lane {lane}</source>
        <translation>通道 {lane}</translation>
    </message>
    <message>
        <source>Go to the token that wrote {name}</source>
        <translation>转到写入 {name} 的 token</translation>
    </message>
    <message>
        <source>Go to the next token that writes it</source>
        <translation>转到下一个写入它的 token</translation>
    </message>
    <message>
        <source>Do not stop there any more</source>
        <translation>不再在此暂停</translation>
    </message>
    <message>
        <source>Stop whenever it is written</source>
        <translation>每当写入时暂停</translation>
    </message>
</context>
<context>
    <name>MainWindow</name>
    <message>
        <source>New chat</source>
        <translation>新对话</translation>
    </message>
    <message>
        <source>Delete &quot;{title}&quot;?</source>
        <translation>删除“{title}”?</translation>
    </message>
    <message>
        <source>{messages} messages, {values} computed values. It goes to the trash and can be restored.</source>
        <translation>{messages} 条消息，{values} 个计算值。会移到回收站，可以恢复。</translation>
    </message>
    <message>
        <source>Keep it</source>
        <translation>保留</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Chat moved to the trash.</source>
        <translation>对话已移到回收站。</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Restored. The chat is back.</source>
        <translation>已恢复。</translation>
    </message>
    <message>
        <source>Import chats</source>
        <translation>导入对话</translation>
    </message>
    <message>
        <source>{count} chats were added.</source>
        <translation>已添加 {count} 个对话。</translation>
    </message>
    <message>
        <source>Open a computed value to see its launch. This chat has none yet.</source>
        <translation>打开一个计算值以查看其运行。此对话还没有计算值。</translation>
    </message>
</context>
<context>
    <name>Meter</name>
    <message>
        <source>{name}: {used} of {most}</source>
        <translation>{name}：{used}/{most}</translation>
    </message>
</context>
<context>
    <name>ModelPage</name>
    <message>
        <source>Progress of the download</source>
        <translation>下载进度</translation>
    </message>
    <message>
        <source>Speed, last 2 minutes</source>
        <translation>速度，最近 2 分钟</translation>
    </message>
    <message>
        <source>No data since {since}</source>
        <translation>自 {since} 起无数据</translation>
    </message>
    <message>
        <source>The gap: connection lost at {since}, resumed by itself at {until}</source>
        <translation>缺口：{since} 断开连接，{until} 自动恢复</translation>
    </message>
</context>
<context>
    <name>Notice</name>
    <message>
        <source>Dismiss</source>
        <translation>关闭提示</translation>
    </message>
</context>
<context>
    <name>NumberControl</name>
    <message>
        <source>This is not a number from {low} to {high}.</source>
        <translation>这不是 {low} 到 {high} 之间的数字。</translation>
    </message>
</context>
<context>
    <name>OutcomeView</name>
    <message>
        <source>Result</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Run the kernel to see what it writes. Every number will have been computed in the weights and worked out again.</source>
        <translation>运行内核以查看它写出什么。每个数字都会在权重中计算并经过重算。</translation>
    </message>
    <message>
        <source>Compiling and loading…</source>
        <translation>正在编译和加载…</translation>
    </message>
    <message>
        <source>The launch is running</source>
        <translation>正在运行</translation>
    </message>
    <message>
        <source>The host writes: {tokens} tokens</source>
        <translation>主机写入：{tokens} 个 token</translation>
    </message>
    <message>
        <source>The model computes: {tokens} tokens, block {block}, warp {warp}</source>
        <translation>模型计算：{tokens} 个 token，块 {block}，warp {warp}</translation>
    </message>
    <message>
        <source>Replay exact</source>
        <translation>重算一致</translation>
    </message>
    <message>
        <source>{prompt} host tokens, then {tokens} by the model. {seconds} s.</source>
        <translation>主机 {prompt} 个 token，随后模型 {tokens} 个。{seconds} 秒。</translation>
    </message>
    <message>
        <source>Open in the inspector</source>
        <translation>在检查器中打开</translation>
    </message>
    <message>
        <source>Copy launch</source>
        <translation>复制运行配置</translation>
    </message>
    <message>
        <source>As expected</source>
        <translation>符合预期</translation>
    </message>
    <message>
        <source>Not as expected</source>
        <translation>不符合预期</translation>
    </message>
    <message>
        <source>and {count} more</source>
        <translation>以及另外 {count} 处</translation>
    </message>
    <message>
        <source>Stopped. Nothing was written.</source>
        <translation>已停止。没有写入任何内容。</translation>
    </message>
    <message>
        <source>The compiler found an error</source>
        <translation>编译器发现错误</translation>
    </message>
    <message>
        <source>The launch was stopped by a fault</source>
        <translation>运行因出错而停止</translation>
    </message>
    <message>
        <source>The machine cannot run this kernel</source>
        <translation>机器无法运行此内核</translation>
    </message>
    <message>
        <source>The launch cannot be read</source>
        <translation>无法读取运行配置</translation>
    </message>
    <message>
        <source>The replay differs. Do not rely on this launch.</source>
        <translation>重算不一致。请勿依赖此次运行。</translation>
    </message>
    <message>
        <source>The launch did not run</source>
        <translation>未能运行</translation>
    </message>
    <message>
        <source>Step to the fault</source>
        <translation>转到出错处</translation>
    </message>
</context>
<context>
    <name>Pages</name>
    <message>
        <source>Something went wrong</source>
        <translation>出错了</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>{compiled} + {text} layers, on {device}</source>
        <translation>{compiled} + {text} 层，在 {device} 上</translation>
    </message>
    <message>
        <source>The model is being checked. This takes a few minutes.</source>
        <translation>正在校验模型，需要几分钟。</translation>
    </message>
    <message>
        <source>The model is exactly what was built.</source>
        <translation>模型与构建结果完全一致。</translation>
    </message>
    <message>
        <source>Attempt {number}</source>
        <translation>第 {number} 次尝试</translation>
    </message>
</context>
<context>
    <name>Palette</name>
    <message>
        <source>Search chats and commands</source>
        <translation>搜索对话和命令</translation>
    </message>
    <message>
        <source>Found</source>
        <translation>找到的对话</translation>
    </message>
    <message>
        <source>Nothing found for &quot;{words}&quot;. Search looks at titles and messages.</source>
        <translation>未找到“{words}”。搜索范围为标题和消息。</translation>
    </message>
</context>
<context>
    <name>PlaygroundPage</name>
    <message>
        <source>Playground</source>
        <translation>试验场</translation>
    </message>
    <message>
        <source>Not compiled yet</source>
        <translation>尚未编译</translation>
    </message>
    <message>
        <source>Compiles</source>
        <translation>可以编译</translation>
    </message>
    <message>
        <source>A template needs its types in the launch&apos;s kernel.</source>
        <translation>模板需要在运行的内核名中给出类型。</translation>
    </message>
    <message>
        <source>Line {line}</source>
        <translation>第 {line} 行</translation>
    </message>
    <message>
        <source>It does not compile</source>
        <translation>无法编译</translation>
    </message>
    <message>
        <source>Cannot compile</source>
        <translation>不能编译</translation>
    </message>
    <message>
        <source>Kept</source>
        <translation>已保留</translation>
    </message>
    <message>
        <source>No language model is used here</source>
        <translation>这里不使用语言模型</translation>
    </message>
    <message>
        <source>Examples</source>
        <translation>示例</translation>
    </message>
    <message>
        <source>Open…</source>
        <translation>打开…</translation>
    </message>
    <message>
        <source>Drafts and more</source>
        <translation>草稿及更多</translation>
    </message>
    <message>
        <source>File name; .ptx for PTX</source>
        <translation>文件名；PTX 用 .ptx</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>单步</translation>
    </message>
    <message>
        <source>Run, then step through the launch in the inspector</source>
        <translation>运行后在检查器中逐步查看</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Compiling…</source>
        <translation>正在编译…</translation>
    </message>
    <message>
        <source>The launch cannot be read</source>
        <translation>无法读取运行配置</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>The library&apos;s kernels</source>
        <translation>库中的内核</translation>
    </message>
    <message>
        <source>New kernel</source>
        <translation>新内核</translation>
    </message>
    <message>
        <source>Save as…</source>
        <translation>另存为…</translation>
    </message>
    <message>
        <source>Drafts</source>
        <translation>草稿</translation>
    </message>
    <message>
        <source>Delete this draft</source>
        <translation>删除此草稿</translation>
    </message>
    <message>
        <source>Open a kernel</source>
        <translation>打开内核</translation>
    </message>
    <message>
        <source>Kernels (*.cu *.cuh *.ptx);;All files (*)</source>
        <translation>内核 (*.cu *.cuh *.ptx);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Save the kernel</source>
        <translation>保存内核</translation>
    </message>
    <message>
        <source>Kernels (*.cu *.ptx)</source>
        <translation>内核 (*.cu *.ptx)</translation>
    </message>
</context>
<context>
    <name>ProblemBox</name>
    <message>
        <source>Problem</source>
        <translation>问题</translation>
    </message>
</context>
<context>
    <name>Proof</name>
    <message>
        <source>Read the expression and chose the kernel {name}</source>
        <translation>读取表达式并选择内核 {name}</translation>
    </message>
    <message>
        <source>Compiled the kernel {name}</source>
        <translation>编译内核 {name}</translation>
    </message>
    <message>
        <source>Wrote the program, the arrays and START</source>
        <translation>写入程序、数组和 START</translation>
    </message>
    <message>
        <source>{program} program tokens, {rest} for data, array ids and start</source>
        <translation>程序 {program} 个 token，数据、数组标识和启动 {rest} 个</translation>
    </message>
    <message>
        <source>Ran {blocks} blocks and said their results</source>
        <translation>运行 {blocks} 个块并给出结果</translation>
    </message>
    <message>
        <source>{exec} EXEC, {val} VAL</source>
        <translation>{exec} 个 EXEC，{val} 个 VAL</translation>
    </message>
    <message>
        <source>Wrote memory {stores} times, then {end}</source>
        <translation>写内存 {stores} 次，然后 {end}</translation>
    </message>
    <message>
        <source>Worked out the same {total} tokens</source>
        <translation>重算出同样的 {total} 个 token</translation>
    </message>
    <message>
        <source>Found another token than the model&apos;s</source>
        <translation>得到与模型不同的 token</translation>
    </message>
    <message>
        <source>Read nothing: the launch was stopped</source>
        <translation>没有读取：运行已停止</translation>
    </message>
    <message>
        <source>Read {names} from the memory</source>
        <translation>从内存读取 {names}</translation>
    </message>
    <message>
        <source>no conversion, no rounding</source>
        <translation>不转换，不舍入</translation>
    </message>
    <message>
        <source>grid {grid}, block {block}, {blocks} machine blocks</source>
        <translation>网格 {grid}，线程块 {block}，{blocks} 个机器块</translation>
    </message>
    <message>
        <source>{kinds}</source>
        <translation>{kinds}</translation>
    </message>
    <message>
        <source>token {index}: model {got}, replay {expected}</source>
        <translation>第 {index} 个 token：模型 {got}，重算 {expected}</translation>
    </message>
    <message>
        <source>{checked} of {total} compared, no difference</source>
        <translation>已比较 {checked}/{total}，无差异</translation>
    </message>
    <message>
        <source>Checkpoint</source>
        <translation>检查点</translation>
    </message>
    <message>
        <source>Kernel source</source>
        <translation>内核源代码</translation>
    </message>
    <message>
        <source>Machine program</source>
        <translation>机器程序</translation>
    </message>
    <message>
        <source>Token stream</source>
        <translation>token 流</translation>
    </message>
</context>
<context>
    <name>ProofView</name>
    <message>
        <source>Who did what</source>
        <translation>谁做了什么</translation>
    </message>
    <message>
        <source>Fingerprints</source>
        <translation>指纹</translation>
    </message>
    <message>
        <source>Redo it with stock transformers</source>
        <translation>用原版 transformers 重做</translation>
    </message>
    <message>
        <source>the unmodified library runs the same weights</source>
        <translation>由未修改的库运行同样的权重</translation>
    </message>
    <message>
        <source>Copy the command</source>
        <translation>复制命令</translation>
    </message>
    <message>
        <source>Tokens redone</source>
        <translation>已重做的 token</translation>
    </message>
    <message>
        <source>Verify again</source>
        <translation>再次验证</translation>
    </message>
    <message>
        <source>Open receipt…</source>
        <translation>打开凭据…</translation>
    </message>
    <message>
        <source>Save receipt…</source>
        <translation>保存凭据…</translation>
    </message>
    <message>
        <source>Made {created} · {compiler} · version {version}</source>
        <translation>创建于 {created} · {compiler} · 版本 {version}</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Running the launch in the weights again…</source>
        <translation>正在权重中重新运行…</translation>
    </message>
    <message>
        <source>{done} of {total} tokens redone in the weights</source>
        <translation>已在权重中重做 {done}/{total} 个 token</translation>
    </message>
    <message>
        <source>Stopped.</source>
        <translation>已停止。</translation>
    </message>
    <message>
        <source>Redone in the weights: exact · {where}</source>
        <translation>已在权重中重做：完全一致 · {where}</translation>
    </message>
    <message>
        <source>Save the receipt</source>
        <translation>保存凭据</translation>
    </message>
    <message>
        <source>Receipt (*.json)</source>
        <translation>凭据 (*.json)</translation>
    </message>
    <message>
        <source>Saved as {name}</source>
        <translation>已保存为 {name}</translation>
    </message>
    <message>
        <source>Open a receipt</source>
        <translation>打开凭据</translation>
    </message>
    <message>
        <source>Receipt (*.json);;All files (*)</source>
        <translation>凭据 (*.json);;所有文件 (*)</translation>
    </message>
</context>
<context>
    <name>ProseView</name>
    <message>
        <source>Reply</source>
        <translation>回复</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Copy link</source>
        <translation>复制链接</translation>
    </message>
    <message>
        <source>Select all</source>
        <translation>全选</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Copy value</source>
        <translation>复制值</translation>
    </message>
    <message>
        <source>Copy expression</source>
        <translation>复制表达式</translation>
    </message>
</context>
<context>
    <name>Quantities</name>
    <message>
        <source>{have} of {total} {unit}</source>
        <translation>{have} / {total} {unit}</translation>
    </message>
    <message>
        <source>{seconds} s</source>
        <translation>{seconds} 秒</translation>
    </message>
    <message>
        <source>{minutes} min {seconds} s</source>
        <translation>{minutes} 分 {seconds} 秒</translation>
    </message>
    <message>
        <source>{minutes} min</source>
        <translation>{minutes} 分钟</translation>
    </message>
    <message>
        <source>{hours} h {minutes} min</source>
        <translation>{hours} 小时 {minutes} 分</translation>
    </message>
    <message>
        <source>time left not known yet</source>
        <translation>剩余时间未知</translation>
    </message>
    <message>
        <source>a few seconds left</source>
        <translation>还剩几秒</translation>
    </message>
    <message>
        <source>about {time} left</source>
        <translation>还剩约 {time}</translation>
    </message>
</context>
<context>
    <name>QuestionView</name>
    <message>
        <source>Your question</source>
        <translation>您的问题</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Edit and send again</source>
        <translation>编辑并重新发送</translation>
    </message>
    <message>
        <source>Edit your question</source>
        <translation>编辑您的问题</translation>
    </message>
    <message>
        <source>The old version is kept.</source>
        <translation>旧版本会保留。</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Send</source>
        <translation>发送</translation>
    </message>
</context>
<context>
    <name>Rail</name>
    <message>
        <source>Sidebar</source>
        <translation>侧边栏</translation>
    </message>
    <message>
        <source>Show the sidebar</source>
        <translation>显示侧边栏</translation>
    </message>
    <message>
        <source>New chat</source>
        <translation>新对话</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>搜索</translation>
    </message>
    <message>
        <source>Chats</source>
        <translation>对话</translation>
    </message>
    <message>
        <source>Playground</source>
        <translation>试验场</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
</context>
<context>
    <name>ReplyView</name>
    <message>
        <source>Reply</source>
        <translation>回复</translation>
    </message>
    <message>
        <source>Copy reply</source>
        <translation>复制回复</translation>
    </message>
    <message>
        <source>Answer again</source>
        <translation>重新回答</translation>
    </message>
    <message>
        <source>More</source>
        <translation>更多</translation>
    </message>
    <message>
        <source>Copy as Markdown</source>
        <translation>复制为 Markdown</translation>
    </message>
    <message>
        <source>Copy as text</source>
        <translation>复制为文本</translation>
    </message>
    <message>
        <source>{speed} tokens/s</source>
        <translation>{speed} token/秒</translation>
    </message>
    <message>
        <source>Final kernel</source>
        <translation>最终内核</translation>
    </message>
    <message>
        <source>Open in Playground</source>
        <translation>在试验场中打开</translation>
    </message>
    <message>
        <source>Stopped.</source>
        <translation>已停止。</translation>
    </message>
    <message>
        <source>The reply has reached its greatest length.</source>
        <translation>回复已达到最大长度。</translation>
    </message>
    <message>
        <source>The app ended while this was written. What was written is kept.</source>
        <translation>写到这里时应用已退出。已写的内容保留。</translation>
    </message>
</context>
<context>
    <name>Report</name>
    <message>
        <source>Checking Qwen&apos;s files</source>
        <translation>校验 Qwen 文件</translation>
    </message>
    <message>
        <source>Fitting the GPU</source>
        <translation>适配 GPU</translation>
    </message>
    <message>
        <source>Writing</source>
        <translation>写入</translation>
    </message>
    <message>
        <source>Reading back</source>
        <translation>回读</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>{size} in {count} files</source>
        <translation>{size}，{count} 个文件</translation>
    </message>
    <message>
        <source>Language model</source>
        <translation>语言模型</translation>
    </message>
    <message>
        <source>Layers</source>
        <translation>层</translation>
    </message>
    <message>
        <source>{compiled} compiled in front of {own} of Qwen&apos;s</source>
        <translation>Qwen 的 {own} 层之前有 {compiled} 个编译层</translation>
    </message>
    <message>
        <source>Vocabulary</source>
        <translation>词表</translation>
    </message>
    <message>
        <source>{own} tokens of Qwen&apos;s, {machine} of the machine</source>
        <translation>Qwen {own} 个 token，机器 {machine} 个</translation>
    </message>
    <message>
        <source>Qwen&apos;s tensors</source>
        <translation>Qwen 的张量</translation>
    </message>
    <message>
        <source>{count}, each with the same sha256 as before</source>
        <translation>{count} 个，sha256 均与之前相同</translation>
    </message>
    <message>
        <source>Machine</source>
        <translation>机器</translation>
    </message>
    <message>
        <source>Checkpoint</source>
        <translation>检查点</translation>
    </message>
    <message>
        <source>all {rows} tokens untouched</source>
        <translation>全部 {rows} 个词元不受影响</translation>
    </message>
    <message>
        <source>{silent} tokens untouched; {guarded} lose one axis and {open} change, in transformers only</source>
        <translation>{silent} 个词元不受影响；{guarded} 个失去一个轴，{open} 个会改变，仅在 transformers 中</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>文本</translation>
    </message>
</context>
<context>
    <name>ReportDialog</name>
    <message>
        <source>Build report</source>
        <translation>构建报告</translation>
    </message>
    <message>
        <source>Copy the full report</source>
        <translation>复制完整报告</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>ResultView</name>
    <message>
        <source>Copy as text</source>
        <translation>复制为文本</translation>
    </message>
    <message>
        <source>Save…</source>
        <translation>保存…</translation>
    </message>
    <message>
        <source>Open in Playground</source>
        <translation>在试验场中打开</translation>
    </message>
    <message>
        <source>Step through it</source>
        <translation>逐步查看</translation>
    </message>
    <message>
        <source>Step to the fault</source>
        <translation>转到出错处</translation>
    </message>
    <message>
        <source>Inputs</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>written by the host</source>
        <translation>由主机写入</translation>
    </message>
    <message>
        <source>read from the machine&apos;s memory</source>
        <translation>从机器内存读取</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>The machine stopped this launch</source>
        <translation>机器停止了此次运行</translation>
    </message>
    <message>
        <source>It did something that no launch may do, so it has no result. The last token says what, and where.</source>
        <translation>它做了任何运行都不允许的操作，因此没有结果。最后一个 token 说明了内容和位置。</translation>
    </message>
    <message>
        <source>None.</source>
        <translation>无。</translation>
    </message>
    <message>
        <source>Launch</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>{name}.cu from the library</source>
        <translation>库中的 {name}.cu</translation>
    </message>
    <message>
        <source>{name}, written by hand</source>
        <translation>{name}，手写</translation>
    </message>
    <message>
        <source>45 compiled. Qwen&apos;s 24 were not needed.</source>
        <translation>45 个编译层。不需要 Qwen 的 24 层。</translation>
    </message>
    <message>
        <source>Kernel</source>
        <translation>内核</translation>
    </message>
    <message>
        <source>Threads</source>
        <translation>线程</translation>
    </message>
    <message>
        <source>{threads} in a block, grid {grid}, block {block}</source>
        <translation>每块 {threads} 个，网格 {grid}，线程块 {block}</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>token</translation>
    </message>
    <message>
        <source>{host} from the host, {model} by the model</source>
        <translation>主机 {host} 个，模型 {model} 个</translation>
    </message>
    <message>
        <source>Layers</source>
        <translation>层</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>用时</translation>
    </message>
    <message>
        <source>{seconds} s</source>
        <translation>{seconds} 秒</translation>
    </message>
    <message>
        <source>Save the arrays</source>
        <translation>保存数组</translation>
    </message>
    <message>
        <source>Table (*.csv);;JSON (*.json)</source>
        <translation>表格 (*.csv);;JSON (*.json)</translation>
    </message>
</context>
<context>
    <name>SelfTestPage</name>
    <message>
        <source>{count} tokens, chosen one by one by the model’s own weights</source>
        <translation>{count} 个 token，由模型自身的权重逐个选出</translation>
    </message>
    <message>
        <source>The model computes it token by token.</source>
        <translation>模型逐个 token 计算。</translation>
    </message>
</context>
<context>
    <name>Settings</name>
    <message>
        <source>Appearance</source>
        <translation>外观</translation>
    </message>
    <message>
        <source>Light, dark, or as the computer is set.</source>
        <translation>浅色、深色，或跟随电脑设置。</translation>
    </message>
    <message>
        <source>System</source>
        <translation>跟随系统</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>Text size</source>
        <translation>文字大小</translation>
    </message>
    <message>
        <source>Of everything in the window.</source>
        <translation>窗口中的所有文字。</translation>
    </message>
    <message>
        <source>Reduce motion</source>
        <translation>减少动画</translation>
    </message>
    <message>
        <source>Panels appear at once; nothing slides or spins.</source>
        <translation>面板立即出现；没有滑动或旋转。</translation>
    </message>
    <message>
        <source>On</source>
        <translation>开</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>关</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>Of menus and messages. The model answers in yours.</source>
        <translation>菜单和消息的语言。模型用您的语言回答。</translation>
    </message>
    <message>
        <source>Model folder</source>
        <translation>模型文件夹</translation>
    </message>
    <message>
        <source>Where downloads and built models go. What is there stays there.</source>
        <translation>下载和构建的模型存放处。已有内容保留原处。</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>Text runs here. The machine part always runs where it is exact.</source>
        <translation>文本在此运行。机器部分始终在能精确计算的地方运行。</translation>
    </message>
    <message>
        <source>Automatic</source>
        <translation>自动</translation>
    </message>
    <message>
        <source>Apple GPU</source>
        <translation>Apple GPU</translation>
    </message>
    <message>
        <source>NVIDIA GPU</source>
        <translation>NVIDIA GPU</translation>
    </message>
    <message>
        <source>Processor</source>
        <translation>处理器</translation>
    </message>
    <message>
        <source>Memory limit</source>
        <translation>内存限制</translation>
    </message>
    <message>
        <source>Stop and say so before the computer starts to swap. 0 is no limit.</source>
        <translation>在电脑开始交换内存之前停止并提示。0 表示不限制。</translation>
    </message>
    <message>
        <source>Keep the model loaded</source>
        <translation>保持模型加载</translation>
    </message>
    <message>
        <source>Free the memory when the app is idle.</source>
        <translation>应用空闲时释放内存。</translation>
    </message>
    <message>
        <source>For 5 minutes</source>
        <translation>5 分钟</translation>
    </message>
    <message>
        <source>For 30 minutes</source>
        <translation>30 分钟</translation>
    </message>
    <message>
        <source>For 2 hours</source>
        <translation>2 小时</translation>
    </message>
    <message>
        <source>Always</source>
        <translation>始终</translation>
    </message>
    <message>
        <source>Highlight computed values</source>
        <translation>突出显示计算值</translation>
    </message>
    <message>
        <source>Tint and dotted underline for what the weights computed.</source>
        <translation>为权重计算的值加底色和点状下划线。</translation>
    </message>
    <message>
        <source>System prompt</source>
        <translation>系统提示</translation>
    </message>
    <message>
        <source>What the model is told before every chat.</source>
        <translation>每次对话前告诉模型的内容。</translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>温度</translation>
    </message>
    <message>
        <source>0 always takes the likeliest word. Computed values are exact at any temperature.</source>
        <translation>0 始终取最可能的词。计算值在任何温度下都精确。</translation>
    </message>
    <message>
        <source>Top-p</source>
        <translation>Top-p</translation>
    </message>
    <message>
        <source>Choose among the likeliest words that together have this probability.</source>
        <translation>在累计达到此概率的最可能词中选择。</translation>
    </message>
    <message>
        <source>Top-k</source>
        <translation>Top-k</translation>
    </message>
    <message>
        <source>Choose among this many likeliest words. 0 is all.</source>
        <translation>在这么多最可能的词中选择。0 表示全部。</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>随机种子</translation>
    </message>
    <message>
        <source>The same seed and the same question give the same text.</source>
        <translation>相同的种子和问题给出相同的文本。</translation>
    </message>
    <message>
        <source>Mirror</source>
        <translation>镜像</translation>
    </message>
    <message>
        <source>Address of a hub to download from. Empty is the usual one, or HF_ENDPOINT.</source>
        <translation>下载服务器的地址。留空使用默认地址或 HF_ENDPOINT。</translation>
    </message>
    <message>
        <source>Proxy</source>
        <translation>代理</translation>
    </message>
    <message>
        <source>Address of an HTTP or SOCKS5 proxy. Empty is what the system says.</source>
        <translation>HTTP 或 SOCKS5 代理的地址。留空跟随系统。</translation>
    </message>
    <message>
        <source>Empty the trash</source>
        <translation>清空回收站</translation>
    </message>
    <message>
        <source>Deleted chats can be restored until then.</source>
        <translation>在此之前可恢复已删除的对话。</translation>
    </message>
    <message>
        <source>After 7 days</source>
        <translation>7 天后</translation>
    </message>
    <message>
        <source>After 30 days</source>
        <translation>30 天后</translation>
    </message>
    <message>
        <source>Never</source>
        <translation>从不</translation>
    </message>
    <message>
        <source>Set-up done</source>
        <translation>设置完成</translation>
    </message>
    <message>
        <source>Whether the first-run assistant was finished or left.</source>
        <translation>首次设置向导是否完成或退出。</translation>
    </message>
    <message>
        <source>Window</source>
        <translation>窗口</translation>
    </message>
    <message>
        <source>Where the window was.</source>
        <translation>窗口位置。</translation>
    </message>
    <message>
        <source>Sidebar</source>
        <translation>侧边栏</translation>
    </message>
    <message>
        <source>Whether the list of chats is shown.</source>
        <translation>是否显示对话列表。</translation>
    </message>
    <message>
        <source>Last chat</source>
        <translation>上次对话</translation>
    </message>
    <message>
        <source>What was open.</source>
        <translation>上次打开的内容。</translation>
    </message>
</context>
<context>
    <name>SettingsPage</name>
    <message>
        <source>Appearance</source>
        <translation>外观</translation>
    </message>
    <message>
        <source>Model and device</source>
        <translation>模型和设备</translation>
    </message>
    <message>
        <source>Computed values</source>
        <translation>计算值</translation>
    </message>
    <message>
        <source>Chat</source>
        <translation>对话</translation>
    </message>
    <message>
        <source>Network</source>
        <translation>网络</translation>
    </message>
    <message>
        <source>Trash</source>
        <translation>回收站</translation>
    </message>
    <message>
        <source>Shortcuts</source>
        <translation>快捷键</translation>
    </message>
    <message>
        <source>Search settings</source>
        <translation>搜索设置</translation>
    </message>
    <message>
        <source>Close the settings</source>
        <translation>关闭设置</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Storage</source>
        <translation>存储</translation>
    </message>
    <message>
        <source>Diagnostics</source>
        <translation>诊断</translation>
    </message>
    <message>
        <source>Sections</source>
        <translation>分区</translation>
    </message>
    <message>
        <source>qwenGPU sends no usage data.</source>
        <translation>qwenGPU 不发送任何使用数据。</translation>
    </message>
    <message>
        <source>Verify</source>
        <translation>校验</translation>
    </message>
    <message>
        <source>Set up…</source>
        <translation>设置…</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Nothing found for “{words}”.</source>
        <translation>未找到“{words}”。</translation>
    </message>
</context>
<context>
    <name>Sidebar</name>
    <message>
        <source>Sidebar</source>
        <translation>侧边栏</translation>
    </message>
    <message>
        <source>No chats yet.</source>
        <translation>还没有对话。</translation>
    </message>
    <message>
        <source>Hide the sidebar</source>
        <translation>隐藏侧边栏</translation>
    </message>
    <message>
        <source>New chat</source>
        <translation>新对话</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>搜索</translation>
    </message>
    <message>
        <source>Playground</source>
        <translation>试验场</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
</context>
<context>
    <name>Spinner</name>
    <message>
        <source>Working</source>
        <translation>进行中</translation>
    </message>
    <message>
        <source>Working...</source>
        <translation>进行中…</translation>
    </message>
</context>
<context>
    <name>StateIcon</name>
    <message>
        <source>Not started</source>
        <translation>未开始</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>运行中</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>完成</translation>
    </message>
    <message>
        <source>Warning</source>
        <translation>警告</translation>
    </message>
    <message>
        <source>Error</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>已暂停</translation>
    </message>
</context>
<context>
    <name>StepItem</name>
    <message>
        <source>to do</source>
        <translation>待办</translation>
    </message>
    <message>
        <source>current step</source>
        <translation>当前步骤</translation>
    </message>
    <message>
        <source>done</source>
        <translation>完成</translation>
    </message>
</context>
<context>
    <name>StepList</name>
    <message>
        <source>Set-up</source>
        <translation>设置向导</translation>
    </message>
    <message>
        <source>Try it now</source>
        <translation>立即试用</translation>
    </message>
    <message>
        <source>The small built-in model needs no download. It computes exactly too, but it writes less well.</source>
        <translation>内置小模型无需下载。它同样精确计算，但写作能力较弱。</translation>
    </message>
    <message>
        <source>Open the small model</source>
        <translation>打开小模型</translation>
    </message>
</context>
<context>
    <name>StepPage</name>
    <message>
        <source>Step {number} of {count}</source>
        <translation>第 {number} 步，共 {count} 步</translation>
    </message>
</context>
<context>
    <name>Storage</name>
    <message>
        <source>Chats</source>
        <translation>对话</translation>
    </message>
    <message>
        <source>All conversations. Export what you want to keep.</source>
        <translation>所有对话。请导出想保留的内容。</translation>
    </message>
    <message>
        <source>Trash</source>
        <translation>回收站</translation>
    </message>
    <message>
        <source>Deleted chats that can still be restored.</source>
        <translation>仍可恢复的已删除对话。</translation>
    </message>
    <message>
        <source>Launch records</source>
        <translation>运行记录</translation>
    </message>
    <message>
        <source>The evidence behind computed values; needed to replay them.</source>
        <translation>计算值的依据；重算时需要。</translation>
    </message>
    <message>
        <source>Built models</source>
        <translation>已构建的模型</translation>
    </message>
    <message>
        <source>They are built again from the download, which takes some minutes.</source>
        <translation>可从下载重新构建，需要几分钟。</translation>
    </message>
    <message>
        <source>Downloads</source>
        <translation>下载</translation>
    </message>
    <message>
        <source>Needed for building only. To build again, it is downloaded again.</source>
        <translation>仅构建时需要。再次构建需重新下载。</translation>
    </message>
    <message>
        <source>Cache</source>
        <translation>缓存</translation>
    </message>
    <message>
        <source>Made again when it is needed.</source>
        <translation>需要时重新生成。</translation>
    </message>
    <message>
        <source>Logs</source>
        <translation>日志</translation>
    </message>
    <message>
        <source>Helpful when something is wrong.</source>
        <translation>出问题时有帮助。</translation>
    </message>
</context>
<context>
    <name>StorageGroups</name>
    <message>
        <source>Reset…</source>
        <translation>重置…</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Back to what they were at the first start. Chats and models stay.</source>
        <translation>恢复到首次启动时。对话和模型保留。</translation>
    </message>
    <message>
        <source>On this computer</source>
        <translation>在这台电脑上</translation>
    </message>
    <message>
        <source>Start afresh</source>
        <translation>重新开始</translation>
    </message>
    <message>
        <source>Clear {what}?</source>
        <translation>清除{what}?</translation>
    </message>
    <message numerus="yes">
        <source>%n file(s)</source>
        <translation>
            <numerusform>%n 个文件</numerusform>
        </translation>
    </message>
    <message>
        <source>The app makes it again when it needs it.</source>
        <translation>应用需要时会重新生成。</translation>
    </message>
    <message>
        <source>It cannot be brought back.</source>
        <translation>无法恢复。</translation>
    </message>
    <message>
        <source>{size} in {count} will be deleted.</source>
        <translation>将删除 {count}，共 {size}。</translation>
    </message>
    <message>
        <source>Keep it</source>
        <translation>保留</translation>
    </message>
    <message>
        <source>Delete {size}</source>
        <translation>删除 {size}</translation>
    </message>
    <message>
        <source>Reset all settings?</source>
        <translation>重置所有设置？</translation>
    </message>
    <message>
        <source>Chats, models and the access token stay.</source>
        <translation>对话、模型和访问令牌保留。</translation>
    </message>
    <message>
        <source>Keep them</source>
        <translation>保留</translation>
    </message>
    <message>
        <source>Reset</source>
        <translation>重置</translation>
    </message>
</context>
<context>
    <name>ThinkingView</name>
    <message>
        <source>Thinking...</source>
        <translation>正在思考…</translation>
    </message>
    <message>
        <source>Thought about it</source>
        <translation>已思考</translation>
    </message>
</context>
<context>
    <name>TokenChips</name>
    <message>
        <source>{count} tokens: {tokens}</source>
        <translation>{count} 个 token：{tokens}</translation>
    </message>
</context>
<context>
    <name>TokenRow</name>
    <message>
        <source>Access token</source>
        <translation>访问令牌</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Forget</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Kept in {place}. It is sent to this hub only.</source>
        <translation>保存在{place}。仅发送给此服务器。</translation>
    </message>
    <message>
        <source>Only needed where a hub asks for one. It goes to {place}, and to this hub only.</source>
        <translation>仅在服务器要求时需要。保存到{place}，只发送给此服务器。</translation>
    </message>
    <message>
        <source>the system keychain</source>
        <translation>系统钥匙串</translation>
    </message>
</context>
<context>
    <name>TokenStrip</name>
    <message>
        <source>Tokens</source>
        <translation>token</translation>
    </message>
</context>
<context>
    <name>Tokens</name>
    <message>
        <source>Block {block} runs on {lanes} ({lines}).</source>
        <translation>块 {block} 在{lanes}上运行（{lines}）。</translation>
    </message>
    <message>
        <source>Block {block} runs on {lanes}.</source>
        <translation>块 {block} 在{lanes}上运行。</translation>
    </message>
    <message>
        <source>Threads {first} to {last} take their turn.</source>
        <translation>轮到线程 {first} 至 {last}。</translation>
    </message>
    <message>
        <source>Every thread has reached the barrier. All go on.</source>
        <translation>所有线程已到达屏障，全部继续。</translation>
    </message>
    <message>
        <source>The threads of CUDA warp {warp} have met. They go on.</source>
        <translation>CUDA warp {warp} 的线程已会合，继续运行。</translation>
    </message>
    <message>
        <source>Every thread of this block of the grid has exited.</source>
        <translation>此网格块的所有线程均已退出。</translation>
    </message>
    <message>
        <source>The next block of the grid begins.</source>
        <translation>网格的下一个块开始。</translation>
    </message>
    <message>
        <source>Every thread has exited. The launch is over.</source>
        <translation>所有线程均已退出，运行结束。</translation>
    </message>
    <message>
        <source>The host clears what an earlier text or launch left.</source>
        <translation>主机清除先前文本或运行留下的内容。</translation>
    </message>
    <message>
        <source>The host stages byte {byte} of {lanes}: {value}.</source>
        <translation>主机暂存{lanes}的字节 {byte}：{value}。</translation>
    </message>
    <message>
        <source>every word</source>
        <translation>每个字</translation>
    </message>
    <message>
        <source>word {number}</source>
        <translation>字 {number}</translation>
    </message>
    <message>
        <source>The host writes how block {block} ends.</source>
        <translation>主机写入块 {block} 的结束方式。</translation>
    </message>
    <message>
        <source>The host writes operation {part} of block {block}: {text}.</source>
        <translation>主机写入块 {block} 的运算 {part}：{text}。</translation>
    </message>
    <message>
        <source>The host marks which words belong to {names}.</source>
        <translation>主机标记哪些字属于 {names}。</translation>
    </message>
    <message>
        <source>The host starts the launch with {threads} threads.</source>
        <translation>主机以 {threads} 个线程启动运行。</translation>
    </message>
    <message>
        <source>The host starts the launch with one thread.</source>
        <translation>主机以一个线程启动运行。</translation>
    </message>
    <message>
        <source>The host writes {values} into {place}.</source>
        <translation>主机将 {values} 写入 {place}。</translation>
    </message>
    <message>
        <source>{Who} sends {value} to be stored, byte {byte}.</source>
        <translation>{Who}送出待存储的 {value}，字节 {byte}。</translation>
    </message>
    <message>
        <source>Register r{register} of {who} becomes {value}.</source>
        <translation>{who}的寄存器 r{register} 变为 {value}。</translation>
    </message>
    <message>
        <source>{Who} writes {value} into {place}. It held {before}.</source>
        <translation>{Who}将 {value} 写入 {place}，原值为 {before}。</translation>
    </message>
    <message>
        <source>{Who} write {values} into {place}.</source>
        <translation>{Who}将 {values} 写入 {place}。</translation>
    </message>
    <message>
        <source>The barrier cannot complete: some threads wait where others never come. The launch stops.</source>
        <translation>屏障无法完成：部分线程等待之处，其他线程永远不会到达。运行停止。</translation>
    </message>
    <message>
        <source>Operation {stage} of thread {thread} is outside its array. The launch stops.</source>
        <translation>线程 {thread} 的运算 {stage} 超出其数组。运行停止。</translation>
    </message>
    <message>
        <source>{first} to {last}</source>
        <translation>{first} 至 {last}</translation>
    </message>
    <message>
        <source>lane {number}</source>
        <translation>通道 {number}</translation>
    </message>
    <message>
        <source>lanes {numbers}</source>
        <translation>通道 {numbers}</translation>
    </message>
    <message>
        <source>Lane {number}</source>
        <translation>通道 {number}</translation>
    </message>
    <message>
        <source>Lanes {numbers}</source>
        <translation>通道 {numbers}</translation>
    </message>
    <message>
        <source>line {number}</source>
        <translation>第 {number} 行</translation>
    </message>
    <message>
        <source>lines {numbers}</source>
        <translation>第 {numbers} 行</translation>
    </message>
    <message>
        <source>{list} and {last}</source>
        <translation>{list} 和 {last}</translation>
    </message>
</context>
<context>
    <name>Track</name>
    <message>
        <source>Token</source>
        <translation>token</translation>
    </message>
    <message>
        <source>host 1–{count}</source>
        <translation>主机 1–{count}</translation>
    </message>
    <message>
        <source>model {first}</source>
        <translation>模型 {first}</translation>
    </message>
    <message>
        <source>{known} of {total} worked out</source>
        <translation>已重算 {known}/{total}</translation>
    </message>
</context>
<context>
    <name>Transcript</name>
    <message>
        <source>Messages</source>
        <translation>消息</translation>
    </message>
    <message>
        <source>Jump to the newest</source>
        <translation>跳到最新</translation>
    </message>
</context>
<context>
    <name>Transport</name>
    <message>
        <source>Play</source>
        <translation>播放</translation>
    </message>
    <message>
        <source>To the beginning</source>
        <translation>到开头</translation>
    </message>
    <message>
        <source>One token back</source>
        <translation>后退一个 token</translation>
    </message>
    <message>
        <source>One token on</source>
        <translation>前进一个 token</translation>
    </message>
    <message>
        <source>To the end</source>
        <translation>到结尾</translation>
    </message>
    <message>
        <source>Find a cell, a block or a token</source>
        <translation>查找单元、块或 token</translation>
    </message>
    <message>
        <source>Speed, tokens a second</source>
        <translation>速度，每秒 token 数</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>速度</translation>
    </message>
    <message>
        <source>tokens/s</source>
        <translation>token/秒</translation>
    </message>
    <message>
        <source>host token {own} of {of}</source>
        <translation>主机 token {own}/{of}</translation>
    </message>
    <message>
        <source>token {own} of {of}</source>
        <translation>token {own}/{of}</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>Working out the machine up to token {position}…</source>
        <translation>正在推算机器状态至 token {position}…</translation>
    </message>
    <message>
        <source>stopped at {place}</source>
        <translation>暂停于 {place}</translation>
    </message>
</context>
<context>
    <name>VerdictBanner</name>
    <message>
        <source>Being worked out again</source>
        <translation>正在重算</translation>
    </message>
    <message>
        <source>{checked} of {total} tokens are the same so far.</source>
        <translation>目前 {checked}/{total} 个 token 一致。</translation>
    </message>
    <message>
        <source>Worked out again without the model, the launch gives the same {total} tokens.</source>
        <translation>不使用模型重算，得到同样的 {total} 个 token。</translation>
    </message>
    <message>
        <source>Exact</source>
        <translation>完全一致</translation>
    </message>
    <message>
        <source>Not exact</source>
        <translation>不一致</translation>
    </message>
    <message>
        <source>The replay differs at token {index}: model {got}, replay {expected}. Save the receipt and report it.</source>
        <translation>重算在第 {index} 个 token 处不一致：模型 {got}，重算 {expected}。请保存凭据并报告。</translation>
    </message>
</context>
<context>
    <name>Versions</name>
    <message>
        <source>Previous version</source>
        <translation>上一版本</translation>
    </message>
    <message>
        <source>Next version</source>
        <translation>下一版本</translation>
    </message>
    <message>
        <source>Version {place} of {count}</source>
        <translation>第 {place} 版，共 {count} 版</translation>
    </message>
</context>
<context>
    <name>_AttemptHead</name>
    <message>
        <source>Attempt {number}</source>
        <translation>第 {number} 次尝试</translation>
    </message>
    <message>
        <source>ran, replay exact</source>
        <translation>已运行，重算一致</translation>
    </message>
</context>
<context>
    <name>_AttemptItem</name>
    <message>
        <source>What the compiler said</source>
        <translation>编译器的信息</translation>
    </message>
    <message>
        <source>Step to the fault</source>
        <translation>转到出错处</translation>
    </message>
</context>
<context>
    <name>_Delegate</name>
    <message>
        <source>Draft</source>
        <translation>草稿</translation>
    </message>
    <message>
        <source>Title</source>
        <translation>标题</translation>
    </message>
</context>
<context>
    <name>_Row</name>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Stop this launch</source>
        <translation>停止此次运行</translation>
    </message>
</context>
</TS>
