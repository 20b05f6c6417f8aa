import Geometry
import Testing
import Windows

@testable import Lifecycle

@Suite("Background tasks")
struct TaskTests {
    static let export = TaskID(1)

    private func exporting() -> World {
        var world = World.twoApps()
        world.handle(.taskBegan(Self.export, World.editor, name: "Export"))
        world.look(World.film)
        return world
    }

    @Test("S-06: a task keeps its app awake until it ends; then the app is frozen")
    func finishes() {
        var world = exporting()
        for step in 1...10 {
            world.wait(20)
            #expect(world.life.phase(World.editor) == .background)
            world.handle(.taskAdvanced(Self.export, progress: Double(step) / 10))
        }
        #expect(world.life.reasons(World.editor) == [.task(Self.export, name: "Export", progress: 1)])
        world.handle(.taskEnded(Self.export))
        world.wait(10.1)
        #expect(world.life.phase(World.editor) == .frozen)
        #expect(!world.effects.contains(.taskExpired(Self.export)))
    }

    @Test("S-06: a task that gets no further expires, and its app is told before it")
    func expires() {
        var world = exporting()
        world.wait(24.9)
        #expect(world.effects.isEmpty)
        world.wait(0.2)
        #expect(world.effects == [.taskExpires(Self.export, in: 5)])
        world.wait(5)
        #expect(world.effects.contains(.taskExpired(Self.export)))
        world.wait(10.1)
        #expect(world.life.phase(World.editor) == .frozen)
    }

    @Test("S-07: the end of a task may be told if a person started it and does not see its app; not if the person ended it")
    func told() {
        var world = exporting()
        #expect(world.life.telling(Self.export)?.name == "Export")
        world.look(World.page)
        #expect(world.life.telling(Self.export) == nil, "its app is in sight")
        world.look(World.film)
        // Begun out of sight: by the app itself.
        world.handle(.taskBegan(TaskID(2), World.editor, name: "Tidying up"))
        #expect(world.life.telling(TaskID(2)) == nil)
        world.change { $0.cancelTask(Self.export, &$1) }
        #expect(world.life.telling(Self.export) == nil)
        world.handle(.taskFinished(TaskID(2), text: ""))
        #expect(world.life.tasks[TaskID(2)] == nil)
    }

    @Test("in sight no time runs, and progress that is none renews nothing")
    func time() {
        var world = World.twoApps()
        world.handle(.taskBegan(Self.export, World.editor, name: "Export"))
        world.wait(1000)
        #expect(world.effects == [.freeze(World.player)])
        world.effects.removeAll()
        world.look(World.film)
        world.wait(20)
        world.handle(.taskAdvanced(Self.export, progress: 0))
        world.handle(.taskAdvanced(Self.export, progress: .nan))
        world.wait(10.1)
        #expect(world.effects.contains(.taskExpired(Self.export)))
    }

    @Test("the tasks of an app have an hour of each day, however often they get further")
    func quota() {
        var world = exporting()
        for step in 1...400 {
            world.wait(10)
            world.handle(.taskAdvanced(Self.export, progress: Double(step) / 500))
        }
        #expect(world.effects.contains(.taskExpired(Self.export)))
        #expect(world.life.phase(World.editor) == .frozen)
        // A new task finds the time used up.
        world.look(World.page)
        world.effects = []
        world.handle(.taskBegan(TaskID(2), World.editor, name: "Again"))
        world.look(World.film)
        world.wait(11)
        #expect(world.life.phase(World.editor) == .frozen)
    }

    @Test("a person ends a task; a task that is not there is refused")
    func cancelled() throws {
        var world = exporting()
        world.change { $0.cancelTask(Self.export, &$1) }
        #expect(world.effects.contains(.taskExpired(Self.export)))
        #expect(!world.life.hasTask(Self.export) && !world.life.hasTask(TaskID(9)))
    }

    @Test("an app has sixteen tasks at most; one more expires at once, and so does a stranger's")
    func most() {
        var world = World.twoApps()
        for number in 1...17 { world.handle(.taskBegan(TaskID(UInt64(number)), World.editor, name: "t")) }
        #expect(world.effects == [.taskExpired(TaskID(17))])
        world.handle(.taskBegan(TaskID(18), AppProcess(999), name: "t"))
        #expect(world.effects.last == .taskExpired(TaskID(18)))
    }
}
